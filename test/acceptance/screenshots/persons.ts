import { type CaptureKind, captureKinds } from '../../../domain/biometrics/biometrics';
import { LinkBrowser } from '../../api/biometrics/link/link-browser';
import type { TestStack } from '../support/test-stack';
import { renderCameraImage, type ImageQuality } from './camera-image';

/** A person with one transaction. */
export interface Person {
  /** The path of the transaction. */
  path: string;
  /** Returns the address of a biometrics link. */
  createLink(body?: object): Promise<string>;
}

export const mariasPhone = '+5511987654321';

const maria = {
  documentType: 'CPF',
  document: '52998224725',
  name: 'Maria Exemplo da Silva',
  birthdate: '1990-01-01',
  email: 'maria.exemplo@example.com',
  phone: { countryCode: 55, areaCode: 11, number: 987_654_321 },
  address: { zipCode: '01310100', city: 'São Paulo', state: 'SP', country: 'Brasil' },
};

/** Creates a transaction for Maria. `locale`: the language of her hosted page. */
export async function createPerson({ api }: TestStack, locale: string): Promise<Person> {
  const path = await api.createTransaction({ ...maria, genericFields: { locale } });
  return {
    path,
    createLink: async (body = {}) => {
      const { status, body: link, text } = await api.post(`${path}/biometrics`, { body });
      if (status !== 201) throw new Error(`POST biometrics returned ${status}: ${text}`);
      return (link as { url: string }).url;
    },
  };
}

/** Submits images without a browser, to fill the list of reviews. */
export async function submitImages(
  person: Person,
  qualities: Partial<Record<CaptureKind, ImageQuality>> = {},
): Promise<void> {
  const browser = new LinkBrowser(await person.createLink());
  await browser.openAndConsent();
  for (const kind of captureKinds) {
    const { status } = await browser.upload(kind, await renderCameraImage(kind, qualities[kind]));
    if (status !== 200) throw new Error(`${kind} returned ${status}`);
  }
  const { status } = await browser.post('/submit');
  if (status !== 200) throw new Error(`submit returned ${status}`);
}
