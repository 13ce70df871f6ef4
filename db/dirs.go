package db

import (
	"context"
	"fmt"
)

// Dirs lists the directories in which something was started, at most n, the one of
// late first.
func (d *DB) Dirs(ctx context.Context, n int) ([]string, error) {
	all, err := collect(ctx, d.r, func(s scanner) (dir string, err error) {
		err = s.Scan(&dir)
		return dir, err
	}, `SELECT dir FROM terminals GROUP BY dir ORDER BY max(created_at) DESC, dir LIMIT ?`, n)
	if err != nil {
		return nil, fmt.Errorf("list directories: %w", err)
	}
	return all, nil
}
