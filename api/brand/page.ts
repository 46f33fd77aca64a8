import type { Request, Response } from 'express';
import { type UndocumentedRoute, undocumentedRoute } from '../http/route';
import { type AppPage, type PageDependencies, sendAppPage } from '../pages/app-page';

const page: AppPage<'brand'> = {
  folder: 'brand',
  titles: { 'pt-BR': 'Marca', en: 'Brand', es: 'Marca' },
  // The script shows a new logo by a blob URL.
  sources: { 'img-src': "'self' blob:" },
};

/** GET /brand: the page on which a tenant sees and changes its brand. */
export const showBrandPage = (dependencies: PageDependencies, request: Request, response: Response): void =>
  sendAppPage(dependencies, request, response, page, {});

/** The page has no data: its script requests it with an access token. */
export const brandPages: readonly UndocumentedRoute[] = [undocumentedRoute('get', '/brand', showBrandPage)];
