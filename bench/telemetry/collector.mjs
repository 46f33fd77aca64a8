// Accepts traces and forgets them, like a collector on another machine would need no CPU time of this one.
import http from 'node:http';

const server = http.createServer((request, response) => {
  request.resume().on('end', () => response.end());
});
server.listen(0, '127.0.0.1', () => process.send(server.address().port));
process.on('disconnect', () => process.exit());
