import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, Frame, Page } from 'playwright-core';

/** `origin`: the origin of the sender, as the browser reports it. */
export interface ReceivedEvent {
  origin: string;
  data: Record<string, unknown>;
}

const html = `<!doctype html>
<html lang="en"><title>Shop</title><h1>Shop</h1>
<script>
  window.received = [];
  window.addEventListener('message', ({ origin, data }) => window.received.push({ origin, data }));
  const frame = document.createElement('iframe');
  Object.assign(frame, { title: 'Confirm', allow: 'camera', width: 390, height: 700 });
  frame.src = new URLSearchParams(location.search).get('frame');
  document.body.append(frame);
</script></html>`;

/** The site of a caller. It shows the address from its query in a frame, and keeps all events of the frame. */
export class ParentSite {
  private constructor(
    readonly origin: string,
    readonly close: () => Promise<void>,
  ) {}

  /** Opens the site on `localhost`: for a browser, this is another site than 127.0.0.1, where the service runs. */
  static async open(): Promise<ParentSite> {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end(html);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new ParentSite(`http://localhost:${port}`, async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    });
  }

  /** Opens a page whose frame loads this address. */
  async show(browser: Browser, address: string): Promise<FramedPage> {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${this.origin}/?frame=${encodeURIComponent(address)}`, { waitUntil: 'load' });
    const frame = page.frames().find((one) => one !== page.mainFrame());
    if (!frame) throw new Error('The page has no frame.');
    return {
      page,
      frame,
      events: () => page.evaluate<ReceivedEvent[]>('window.received'),
      waitForEvent: async (type) => {
        const found = `window.received.find(({ data }) => data.type === '${type}')`;
        await page.waitForFunction(found, undefined, { timeout: 20_000 });
        return page.evaluate<ReceivedEvent>(found);
      },
      close: () => context.close(),
    };
  }
}

/** `page`: the page of the caller, with a frame. `events`: all events so far. `waitForEvent`: the first event of a type. */
export interface FramedPage {
  page: Page;
  frame: Frame;
  events: () => Promise<ReceivedEvent[]>;
  waitForEvent: (type: string) => Promise<ReceivedEvent>;
  close: () => Promise<void>;
}
