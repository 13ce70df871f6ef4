package db

import (
	"context"
	"fmt"
)

// Builds lists the builds of the program that living processes may use: those of
// instances that were not swept, those from before an upgrade too. A swept instance
// has left no agent that could still call its binary.
func (d *DB) Builds(ctx context.Context) ([]string, error) {
	all, err := collect(ctx, d.r, func(s scanner) (build string, err error) {
		err = s.Scan(&build)
		return build, err
	}, `SELECT build FROM instances WHERE swept = 0
		UNION SELECT b.build FROM builds b JOIN instances i ON i.id = b.instance WHERE i.swept = 0 ORDER BY build`)
	if err != nil {
		return nil, fmt.Errorf("list builds: %w", err)
	}
	return all, nil
}
