// A bare server of Node: one read by primary key for each request, in the database of the peer `plain`. It is the lowest cost of a read over
// HTTP from Postgres. It has no routes, authentication, validation or errors.
import http from 'node:http';
import { Pool } from 'pg';

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 20 });
const readPerson = (id) =>
  pool.query({ name: 'read', text: 'select person from transactions where id = $1', values: [id] });

async function answer(url, response) {
  const { rows } = await readPerson(url.split('/').at(-1));
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(rows[0].person));
}

http
  .createServer(({ url }, response) => void (url === '/health' ? response.end() : answer(url, response)))
  .listen(Number(process.env.PORT), '127.0.0.1');
