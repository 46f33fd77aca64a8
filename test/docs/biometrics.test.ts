import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { createHttpFaceVerifier } from '../../activities/biometrics/verify-faces';
import { configureBiometrics } from '../../api/biometrics/settings';
import { biometricsStatuses } from '../../domain/biometrics/biometrics';
import { linksPerTransaction } from '../../domain/biometrics/link';
import { imageFindingCodes, goodImageBounds } from '../../domain/biometrics/capture';
import { uploadBytesMax } from '../../images/uploads';
import { openGuide } from '../support/guide';
import { runInActivity } from '../support/new-activity';

const root = path.join(__dirname, '..', '..');
const { guide, section, codeBlock: json, table, firstCells } = openGuide('biometrics.md');

test('the guide has every status', () => {
  expect(firstCells('statuses')).toEqual([...biometricsStatuses]);
});

test('the guide has every finding, with the bounds of image quality', () => {
  expect(firstCells('findings')).toEqual([...imageFindingCodes]);
  const { shortEdgeMin, brightnessMin, brightnessMax, sharpnessMin } = goodImageBounds;
  const bounds = [shortEdgeMin, brightnessMin, brightnessMax, sharpnessMin];
  const qualityRows = table('findings').slice(0, 4);
  expect(qualityRows.map(([, , words = ''], index) => words.split(/[^\d]+/).includes(String(bounds[index])))).toEqual(
    bounds.map(() => true),
  );
});

test('the guide has every setting with its default, and its example is valid', () => {
  const example = configureBiometrics(json('settings'));
  expect(firstCells('settings').toSorted()).toEqual(Object.keys(example('acme')).toSorted());
  const defaultSettings = Object.entries(configureBiometrics('{}')('anybody'));
  const guideDefaults = Object.fromEntries(table('settings').map(([name, value]) => [name, value]));
  expect(guideDefaults).toEqual({
    facePolicy: 'none',
    ...Object.fromEntries(defaultSettings.map(([name, value]) => [name, JSON.stringify(value)])),
  });
  expect([example('acme').imageDays, example('globex').imageDays]).toEqual([180, 30]);
});

test('the guide names only settings that exist, and has the limits that the code has', () => {
  const settingsText = readFileSync(path.join(root, 'docs/configuration.md'), 'utf8');
  const settingNames = Array.from(guide.matchAll(/\b(?:IMAGES|FACE|BIOMETRICS)_[A-Z0-9_]+\b/g), ([name]) => name);
  expect(settingNames.filter((name) => !settingsText.includes(`\n| \`${name}\` |`))).toEqual([]);
  expect(guide).toContain(`at most ${uploadBytesMax / 1024 ** 2} MB`);
  expect(guide).toContain(`at most ${linksPerTransaction} links`);
});

test('the example of a face verifier matches the protocol', async () => {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    request.setEncoding('latin1').on('data', (chunk: string) => requests.push(chunk));
    request.on('end', () => response.end(json('verifier-answer')));
  }).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const image = Buffer.from('image');
    const verifier = createHttpFaceVerifier({ url, timeoutMs: 10_000 });
    const findings = await runInActivity(() => verifier.verify({ selfie: image, documentFront: image }));
    expect(findings).toEqual(JSON.parse(json('verifier-answer')));
  } finally {
    server.close();
  }
  const dispositions = (text: string) => text.match(/Content-Disposition: .*"/g);
  expect(dispositions(section('verifier-request'))).toEqual(dispositions(requests.join('')));
});

test('the guide shows exactly the images in docs/images/biometrics', () => {
  const usedImages = Array.from(guide.matchAll(/images\/biometrics\/([\w.-]+)/g), ([, file = '']) => file);
  expect(usedImages.toSorted()).toEqual(readdirSync(path.join(root, 'docs', 'images', 'biometrics')).toSorted());
});
