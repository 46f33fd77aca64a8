import type { Request, Response } from 'express';
import type { Language } from '../../domain/person';
import type { Dependencies } from '../dependencies';
import { languageOfRequest } from '../http/language';
import type { AppFolder, AppSettings } from './rendered-pages';
import { type PageHeaderOptions, pageHeaders } from './page-headers';

/** A page that runs in the browser. web/{folder} has its code. */
export interface AppPage<Folder extends AppFolder> extends Omit<PageHeaderOptions, 'language'> {
  folder: Folder;
  titles: Readonly<Record<Language, string>>;
}

/** What `sendAppPage` needs. */
export type PageDependencies = Pick<Dependencies, 'builtPages'> & {
  config: Pick<Dependencies['config'], 'BRAND' | 'DEFAULT_LANGUAGE'>;
};

/**
 * Sends the shell of an app page: the bar at the top, and the script and the styles that make the rest of the page. `language`: by
 * default, the language that the browser prefers.
 */
export function sendAppPage<Folder extends AppFolder>(
  dependencies: PageDependencies,
  request: Request,
  response: Response,
  { folder, titles, ...headers }: AppPage<Folder>,
  settings: AppSettings[Folder],
  language = languageOfRequest({ dependencies, request }),
): void {
  const { config, builtPages } = dependencies;
  const { script = '', preloads, styles } = builtPages.entryOf(folder);
  const shared = { folder, brand: config.BRAND, title: titles[language], logo: builtPages.logo };
  const shell = { language, script, preloads, styles, settings: { ...settings, ...shared } };
  response
    .status(200)
    .set(pageHeaders({ ...headers, language }))
    .type('html')
    .send(builtPages.render('shell', shell));
}
