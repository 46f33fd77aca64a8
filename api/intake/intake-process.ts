import { type ChildProcess, fork } from 'node:child_process';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Request, Response } from 'express';
import type { Logger } from '../../platform/logger';
import { Problem } from '../http/problem';

/** Takes uploads beside the process that answers everything else; on a port of its own, it serves the whole page of persons. */
export interface Intake {
  /** Has a request answered by the intake. Throws the Problem service_unavailable while it is not there. */
  passOn(request: Request, response: Response): Promise<void>;
  /** Whether it answers, or comes to within so many milliseconds. */
  upWithin(ms: number): Promise<boolean>;
  stop(): void;
}

/** One that dies at once again is not to take all the time of the machine: each pause is twice the one before. */
const pauseMs = { least: 1_000, most: 30_000 };
/** One that was there for so long has started well: the next pause is a short one again. */
const steadyMs = 60_000;
/** The line of images and what is on its way to it: more than the intake lets in at once. */
const socketsMax = 128;

/**
 * It collects the garbage of buffers itself. Its heap holds the parts of one image in the letters of the database driver,
 * some 10 MB; without a bound, V8 lets ten times as much lie.
 */
const execArgv = ['--expose-gc', '--max-old-space-size=96'];

/** Of one connection, not of the answer (RFC 9110, 7.6.1). */
const hopByHop = ['connection', 'keep-alive', 'transfer-encoding'];

/** Starts the intake, and again whenever it ends. */
export function startIntake(logger: Logger, script = path.join(__dirname, 'main.js')): Intake {
  const agent = new http.Agent({ keepAlive: true, maxSockets: socketsMax });
  let child: ChildProcess | undefined;
  let port: number | undefined;
  let stopped = false;
  let tellUp = () => {};
  const up = new Promise<void>((resolve) => {
    tellUp = resolve;
  });

  let againInMs = pauseMs.least;
  function start(): void {
    if (stopped) return;
    let upSince: number | undefined;
    // A session of its own: Linux shares the cores between sessions first.
    child = fork(script, { stdio: 'inherit', execArgv, detached: true });
    child.on('message', (told: { port: number }) => {
      port = told.port;
      upSince = Date.now();
      logger.info({ port }, 'the intake of images listens');
      tellUp();
    });
    child.on('exit', (exitCode, signal) => {
      port = undefined;
      if (stopped) return;
      if (upSince !== undefined && Date.now() - upSince >= steadyMs) againInMs = pauseMs.least;
      logger.warn({ exitCode, signal, againInMs }, 'the intake of images ended and is started again');
      setTimeout(start, againInMs).unref();
      againInMs = Math.min(againInMs * 2, pauseMs.most);
    });
  }
  start();

  return {
    upWithin: (ms) => Promise.race([up.then(() => true), pause(ms, false, { ref: false })]),
    passOn: (request, response) =>
      new Promise<void>((resolve, reject) => {
        const away = () => reject(new Problem('service_unavailable'));
        if (port === undefined) return away();
        const headers = { ...request.headers, 'x-request-id': String(response.locals['traceId']) };
        const { method, url } = request;
        let answered = false;
        const upstream = http.request({ agent, host: '127.0.0.1', port, method, path: url, headers }, (answer) => {
          answered = true;
          const own = Object.entries(answer.headers).filter(([name]) => !hopByHop.includes(name));
          response.writeHead(answer.statusCode ?? 0, Object.fromEntries(own));
          answer.pipe(response);
          answer.on('end', resolve);
          // A broken answer must not look like a whole one.
          answer.on('error', () => response.destroy());
        });
        // An answer that came before all of the body was read stands.
        upstream.on('error', () => {
          if (!answered) away();
        });
        response.on('close', () => {
          upstream.destroy();
          resolve();
        });
        request.pipe(upstream);
        return undefined;
      }),
    stop: () => {
      stopped = true;
      child?.kill();
      agent.destroy();
    },
  };
}
