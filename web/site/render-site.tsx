import { renderPage, type SiteContext } from './document';
import { createHttpFile } from './downloads/http-file';
import { createPostmanCollection } from './downloads/postman-collection';
import { planRequests } from './downloads/request-plan';
import { renderGuides } from './guide-pages';
import { hashedFile } from './hashed-file';
import type { SiteFile, SiteInputs } from './inputs';
import { Landing } from './landing';
import { readImages } from './markdown/images';
import type { Page } from './page';
import { renderReference } from './reference-pages';

/** Renders all pages, downloads and images of the documentation site. */
export async function renderSite({ root, document, problems, assetUrl }: SiteInputs): Promise<SiteFile[]> {
  const { images, files: imageFiles } = await readImages(root);
  const picture = images.get('docs/images/inbox.png');
  if (!picture) throw new Error('docs/images/inbox.png does not exist.');
  const guides = renderGuides(root, images);
  const landing: Page = {
    path: '/',
    title: 'identity verification over one API',
    description: 'Confirm a person by SMS, e-mail, WhatsApp or biometrics, on your own servers.',
    entries: [],
    children: <Landing picture={picture} />,
  };
  const pages = [landing, ...guides.pages, ...renderReference({ document, problems })];

  const index = hashedFile('search', 'json', JSON.stringify(pages.flatMap(({ entries }) => entries)));
  const context: SiteContext = { assetUrl, searchIndex: index.path };
  const requests = planRequests(document);
  return [
    ...imageFiles,
    ...guides.files,
    index,
    {
      path: '/docs/downloads/countersign.http',
      type: 'text/plain; charset=utf-8',
      body: createHttpFile(requests),
      download: 'countersign.http',
    },
    {
      path: '/docs/downloads/countersign.postman_collection.json',
      type: 'application/json; charset=utf-8',
      body: createPostmanCollection(document, requests),
      download: 'countersign.postman_collection.json',
    },
    ...pages.map((page) => ({
      path: page.path,
      type: 'text/html; charset=utf-8',
      body: renderPage(context, page),
    })),
  ];
}
