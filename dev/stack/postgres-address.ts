/** Where the database of a local stack is reached, by its own user. */
export const postgresAddress = (port: number, password: string, database = 'countersign'): string =>
  `postgres://countersign:${password}@127.0.0.1:${port}/${database}`;
