# Read by the other scripts: what comes before a command that may not inherit the
# priority of the caller, who may measure under chrt. A compiler that nothing may
# interrupt can wait for itself for ever.
ordinary='chrt -o 0'
$ordinary true 2>/dev/null || ordinary=
