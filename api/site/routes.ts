import { type UndocumentedRoute, undocumentedRoute } from '../http/route';
import { redirectToDocs, serveSite } from './serve-site';

/** The page at / and the documentation. Their source is in web/. */
export const sitePages: readonly UndocumentedRoute[] = [
  undocumentedRoute('get', '/', serveSite),
  undocumentedRoute('get', '/docs', serveSite),
  undocumentedRoute('get', '/docs/', redirectToDocs),
  undocumentedRoute('get', '/docs/{page}', serveSite),
  undocumentedRoute('get', '/docs/{folder}/{page}', serveSite),
  undocumentedRoute('get', '/assets/{file}', serveSite, 'none'),
];
