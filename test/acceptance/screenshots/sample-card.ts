import { drawnFace } from './drawn-face';

/** The size of a bank card (ID-1): 85.6 by 54 mm, with ten units per millimeter. */
export const cardSize = { width: 856, height: 540 };

const label = (x: number, y: number, text: string) =>
  `<text x="${x}" y="${y}" font-size="15" fill="#4b6b74">${text}</text>`;
const value = (x: number, y: number, text: string) =>
  `<text x="${x}" y="${y}" font-size="25" font-weight="bold" fill="#16262e">${text}</text>`;
const field = (x: number, y: number, name: string, text: string) => label(x, y, name) + value(x, y + 30, text);

/** Real cards have printed waves, which are hard to copy. */
const waves = Array.from({ length: 27 }, (_, index) => {
  const y = index * 22 - 10;
  return `<path d="M0 ${y}c140-40 280 44 428 4s290-40 428 0" fill="none" stroke="#7fb3a8" stroke-opacity=".38"/>`;
}).join('');

const specimen = (y: number) =>
  `<text x="470" y="${y}" font-size="104" font-weight="bold" letter-spacing="14" text-anchor="middle" fill="#b3261e"
    fill-opacity=".2" transform="rotate(-14 470 ${y})">SPECIMEN</text>`;

const card = (content: string) => `
  <clipPath id="card"><rect width="856" height="540" rx="30"/></clipPath>
  <linearGradient id="paper" x1="0" y1="0" x2="1" y2="1">
    <stop offset="0" stop-color="#e9f4ef"/><stop offset=".55" stop-color="#dcebf0"/><stop offset="1" stop-color="#efe9dc"/>
  </linearGradient>
  <g clip-path="url(#card)" font-family="sans-serif">
    <rect width="856" height="540" fill="url(#paper)"/>${waves}${content}
  </g>`;

const heading = `
  <rect width="856" height="84" fill="#1d5c5c"/>
  <text x="40" y="42" font-size="28" font-weight="bold" letter-spacing="2" fill="#fff">REPUBLIC OF UTOPIA</text>
  <text x="40" y="70" font-size="18" letter-spacing="1" fill="#cfe6df">IDENTITY CARD · SAMPLE WITHOUT VALUE</text>
  <path d="M790 14l10 18 20 3-15 14 4 20-19-10-19 10 4-20-15-14 20-3z" fill="#f2c14e"/>`;

/** The content of SVGs. The country is fictional, and both sides say SPECIMEN. */
export const sampleCard = {
  front: card(`${heading}
    <rect x="40" y="118" width="250" height="330" rx="10" fill="#b9cdd3"/>
    <svg x="40" y="118" width="250" height="330" viewBox="20 40 360 475">${drawnFace}</svg>
    ${field(330, 140, 'Name', 'MARIA EXEMPLO DA SILVA')}
    ${field(330, 216, 'Date of birth', '01 JAN 1990')}${field(590, 216, 'Nationality', 'UTOPIAN')}
    ${field(330, 292, 'Personal number', '529.982.247-25')}${field(590, 292, 'Card', 'UTO-000000')}
    ${field(330, 368, 'Issued', '02 JAN 2024')}${field(590, 368, 'Valid until', '01 JAN 2034')}
    ${label(40, 482, 'Signature of the holder')}
    <path d="M250 494c30-44 44-20 30 2s10-40 34-30-14 34 8 22 22-36 40-22-8 32 18 18 60-18 84-10" fill="none"
      stroke="#1b2f6b" stroke-width="4" stroke-linecap="round"/>
    ${specimen(330)}`),
  back: card(`
    <rect y="34" width="856" height="74" fill="#2a2f36"/>
    ${field(40, 150, 'Place of birth', 'AMAUROT')}${field(330, 150, 'Height', '168 cm')}
    ${field(40, 226, 'Address', '1 ANYDRUS STREET, AMAUROT')}
    ${field(40, 302, 'Issued by', 'REGISTRY OF PERSONS THAT DO NOT EXIST')}
    <rect x="640" y="136" width="170" height="108" rx="14" fill="#d9b65c"/>
    <path d="M640 172h60M640 208h60M750 172h60M750 208h60M700 136v108M750 136v108" stroke="#8d6f22" stroke-width="4" fill="none"/>
    <rect y="380" width="856" height="160" fill="#f7f8f5"/>
    <g font-family="monospace" font-size="41" font-weight="bold" fill="#1c1f22">
      <text x="40" y="428" textLength="776" lengthAdjust="spacingAndGlyphs">I&lt;UTO000000&lt;&lt;&lt;0&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;</text>
      <text x="40" y="472" textLength="776" lengthAdjust="spacingAndGlyphs">9001010F3401010UTO&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;&lt;0</text>
      <text x="40" y="516" textLength="776" lengthAdjust="spacingAndGlyphs">SILVA&lt;&lt;MARIA&lt;EXEMPLO&lt;DA&lt;&lt;&lt;&lt;&lt;&lt;&lt;</text>
    </g>
    ${specimen(300)}`),
};
