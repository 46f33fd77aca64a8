#!/bin/sh
# Runs once in the Postgres container. The service gets its own role, because row-level security does not apply to the superuser.
set -eu
psql -v ON_ERROR_STOP=1 -v password="$POSTGRES_PASSWORD" --username postgres <<'SQL'
create role countersign login password :'password';
create database countersign owner countersign;
SQL
