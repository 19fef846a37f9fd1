#!/bin/sh
# Starts the service in a container, configured by environment variables. Other machines can reach it,
# so it requires a file of tokens at /run/secrets/tokens, unless PALAESTRA_INSECURE=1.
set -eu

store=${PALAESTRA_STORE:?}
if [ -n "${PALAESTRA_STORE_PASSWORD_FILE:-}" ]; then # so that the password is in no process list
    export PGPASSFILE=/tmp/pgpass
    umask 077
    printf '*:*:*:*:%s\n' "$(cat "$PALAESTRA_STORE_PASSWORD_FILE")" > "$PGPASSFILE"
fi

set -- --host 0.0.0.0 --port 8000 --store "$store" \
    --workers "${PALAESTRA_PROCESSES:-1}" --drain-s "${PALAESTRA_DRAIN_S:-5}" "$@"
if [ -f /run/secrets/tokens ]; then
    set -- "$@" --token-file /run/secrets/tokens
elif [ "${PALAESTRA_INSECURE:-0}" = 1 ]; then
    set -- "$@" --insecure-no-auth
fi
exec palaestra serve "$@"
