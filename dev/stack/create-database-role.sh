#!/bin/sh
# Runs in the Postgres container, once. The service gets its own role: row-level security does not apply to the superuser.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" --username postgres <<'SQL'
create role countersign login password :'password';
create database countersign owner countersign;
SQL
