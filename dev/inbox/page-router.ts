import express, { type Router } from 'express';
import { type AppPage, sendAppPage } from '../../api/pages/app-page';
import { readBuiltPages } from '../../api/pages/built-pages';
import { sendFile } from '../../api/site/site';

const page: AppPage<'inbox'> = {
  folder: 'inbox',
  titles: { 'pt-BR': 'Caixa de entrada', en: 'Inbox', es: 'Bandeja de entrada' },
  // The HTML of mails is in frames.
  sources: { 'frame-src': "'self'" },
};

const config = { BRAND: 'Countersign', DEFAULT_LANGUAGE: 'en' } as const;

/** The page with phones and mailboxes, and its files. web/inbox has its code. */
export function pageRouter(): Router {
  const builtPages = readBuiltPages();
  const router = express.Router();
  router.get('/', (request, response) => sendAppPage({ config, builtPages }, request, response, page, {}));
  router.get('/assets/:file', (request, response, next) => {
    const file = builtPages.files.get(request.path);
    if (file) sendFile(request, response, file);
    else next();
  });
  return router;
}
