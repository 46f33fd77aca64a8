import path from 'node:path';
import express, { type Router } from 'express';

/** The page with phones and mailboxes. The content security policy allows only its own scripts. */
export function pageRouter(): Router {
  const router = express.Router();
  router.use((_request, response, next) => {
    response.set({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    next();
  });
  router.use(express.static(path.join(__dirname, 'page'), { cacheControl: false }));
  return router;
}
