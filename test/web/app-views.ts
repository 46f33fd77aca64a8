import type { Page } from 'playwright-core';
import type { BiometricsWorld } from '../api/biometrics/biometrics-world';
import { personViews } from './person-views';
import { buildPauseFlow } from '../api/flows/flow-world';

/** A view that scripts create in the browser. */
export interface AppView {
  /** The folder in web/ and the view, such as `flows: list`. */
  name: string;
  /** Opens the view with data from the real API. */
  open: (page: Page, world: BiometricsWorld) => Promise<void>;
}

/** The settings of the API that serves these views. */
export const settings = { TEMPORAL_UI_URL: 'http://127.0.0.1:8233' };

/** Signs in with a token that has all scopes of callers. */
export async function openSignedIn(page: Page, { api }: BiometricsWorld, path: string): Promise<void> {
  await page.goto(`${api.address}${path}`);
  await page.getByText('Use an access token instead').click();
  await page.getByLabel('Access token').fill(await api.issueToken('local'));
  await page.getByRole('button', { name: 'Use this token' }).click();
}

const waitForHeading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

/** The views of all pages in web/, except the inbox. */
export const appViews: readonly AppView[] = [
  ...personViews,
  {
    name: 'codec: sign-in',
    open: async (page, { api }) => {
      await page.goto(`${api.address}/codec/sign-in`);
      await page.getByText('Use an access token instead').click();
      await waitForHeading(page, 'Sign in to read transactions');
    },
  },
  {
    name: 'codec: a client without access',
    open: async (page, world) => {
      await page.goto(`${world.api.address}/codec/sign-in`);
      await page.getByText('Use an access token instead').click();
      await page.getByLabel('Access token').fill('wrong');
      await page.getByRole('button', { name: 'Use this token' }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'not-found: a page whose address is similar',
    open: async (page, { api }) => {
      await page.goto(`${api.address}/flow`);
      await waitForHeading(page, 'This page does not exist');
    },
  },
  {
    name: 'not-found: an operation whose path is similar',
    open: async (page, { api }) => {
      await page.goto(`${api.address}/v1/flwos`);
      await page.getByText('Did you mean').waitFor();
    },
  },
  {
    name: 'flows: list',
    open: async (page, world) => {
      await openSignedIn(page, world, '/flows');
      await waitForHeading(page, 'Flows');
    },
  },
  {
    name: 'flows: version',
    open: async (page, world) => {
      await world.api.request('/v1/flows/shown', { method: 'PUT', body: buildPauseFlow(60) });
      await openSignedIn(page, world, '/flows#/flows/shown');
      await waitForHeading(page, 'shown');
    },
  },
  {
    name: 'flows: runs',
    open: async (page, world) => {
      await openSignedIn(page, world, '/flows#/flows/shown/1/runs');
      await waitForHeading(page, 'Runs of shown');
    },
  },
  {
    name: 'flows: a flow that does not exist',
    open: async (page, world) => {
      await openSignedIn(page, world, '/flows#/flows/nothing');
      await waitForHeading(page, 'This flow does not exist');
    },
  },
  {
    name: 'brand: form',
    open: async (page, world) => {
      await openSignedIn(page, world, '/brand');
      await waitForHeading(page, 'Brand');
      await page.locator('.sample-sms').first().waitFor();
    },
  },
  {
    name: 'reviews: no open review',
    open: async (page, world) => {
      world.api.transactions.states.clear();
      await openSignedIn(page, world, '/reviews');
      await waitForHeading(page, 'No open reviews');
    },
  },
  {
    name: 'reviews: list',
    open: async (page, world) => {
      await world.submitAll();
      await openSignedIn(page, world, '/reviews');
      await waitForHeading(page, 'Reviews');
    },
  },
  {
    name: 'reviews: one review, and a decision without a reason',
    open: async (page, world) => {
      await world.submitAll({ name: 'Maria S. Silva', birthdate: '1990-01-01' });
      await openSignedIn(page, world, '/reviews');
      await page
        .getByRole('link', { name: /Waiting for/ })
        .first()
        .click();
      await waitForHeading(page, /^Review of/);
      await page.locator('.stage img').nth(2).waitFor();
      await page.getByRole('radio', { name: 'Reject' }).check();
      await page.getByRole('button', { name: 'Reject', exact: true }).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'reviews: enlarged image',
    open: async (page, world) => {
      await world.submitAll();
      await openSignedIn(page, world, '/reviews');
      await page
        .getByRole('link', { name: /Waiting for/ })
        .first()
        .click();
      await page.getByRole('button', { name: 'Enlarge Selfie' }).click();
      await page.getByRole('dialog').getByRole('img', { name: 'Selfie' }).waitFor();
    },
  },
  {
    name: 'reviews: a review that does not exist',
    open: async (page, world) => {
      await openSignedIn(page, world, '/reviews#/reviews/5f0c4ac2-0000-4000-8000-000000000000');
      await page.getByText('This review does not exist any more.').first().waitFor();
    },
  },
];
