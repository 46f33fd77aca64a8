import type { AppFolder, AppSettings, SharedSettings } from '../api-types';

/** What the API gives to every app page. */
export const readSharedSettings = (): SharedSettings =>
  JSON.parse(document.body.dataset['settings'] ?? '') as SharedSettings;

/** What the API gives to one app page. `folder`: the folder of the page in web/. Throws on the page of another folder. */
export function readSettings<Folder extends AppFolder>(folder: Folder): AppSettings[Folder] {
  const settings = readSharedSettings();
  if (settings.folder !== folder) throw new Error(`This is the page ${settings.folder} and not ${folder}.`);
  return settings as SharedSettings & AppSettings[Folder];
}
