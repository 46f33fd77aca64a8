import type { OpenApiDocument } from './reference/openapi';

/** A row of the table of problems (api/http/problems.ts). */
export interface ProblemRow {
  status: number;
  title: string;
  detail: string;
  retryAfterSeconds?: number;
}

export interface SiteInputs {
  /** The folder of the repository, from which the guides are read. */
  root: string;
  document: OpenApiDocument;
  problems: Readonly<Record<string, ProblemRow>>;
  /** The URLs of built files by name, such as `browser/site.ts`. */
  assetUrl: (name: string) => string;
}

/** A file of the site. */
export interface SiteFile {
  /** Its URL path. */
  path: string;
  type: string;
  body: string | Uint8Array;
  /** Whether the name of the file contains the hash of its content, so that browsers may keep the file. */
  isHashed?: boolean;
  /** The file name of a download. */
  download?: string;
}
