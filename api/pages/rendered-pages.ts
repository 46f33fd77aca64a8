// Types only: web/server renders the pages, and this file is all that it knows of the API.

/** What the script of each app page gets from the API, by the folder of the page in web/. It must not contain personal data. */
export interface AppSettings {
  codec: {
    /** The address of the Temporal UI. */
    uiUrl: string;
  };
  reviews: Record<string, never>;
  /** The page of the local phones and mailboxes. dev/inbox serves it. */
  inbox: Record<string, never>;
}

export type AppFolder = keyof AppSettings;

/** What the script of every app page gets. */
export interface SharedSettings {
  folder: string;
  brand: string;
  /** The title of the page, in the language that the API chose. */
  title: string;
  /** The URL path of the logo. */
  logo: string;
}

/** The parts of a page that runs in the browser, before its script runs. URLs are paths on this host. */
export interface ShellProps {
  language: string;
  script: string;
  /** Chunks that the script imports. */
  preloads: readonly string[];
  styles: readonly string[];
  settings: SharedSettings;
}

/** The props of each page that the API renders for a request. */
export interface RenderedPages {
  shell: ShellProps;
}

/** The HTML of a page, with everything in it escaped. */
export type RenderPage = <Name extends keyof RenderedPages>(name: Name, props: RenderedPages[Name]) => string;
