import { assert, integer, property } from 'fast-check';
import { brandOf, findCard } from '../../scoring/evidence/card';
import type { Card } from '../../domain/transactions/input';

const find = (card?: Card, name?: string, document = '52998224725') =>
  findCard({ documentType: 'CPF', document, ...(card ? { card } : {}), ...(name ? { name } : {}) });

describe('the brand of a card', () => {
  it.each([
    ['411111', 'Visa'],
    ['401177', 'Visa'],
    ['401178', 'Elo'],
    ['40117899', 'Elo'],
    ['401180', 'Visa'],
    ['510000', 'Mastercard'],
    ['559999', 'Mastercard'],
    ['222100', 'Mastercard'],
    ['272099', 'Mastercard'],
    ['340000', 'American Express'],
    ['379999', 'American Express'],
    ['300000', 'Diners Club'],
    ['305999', 'Diners Club'],
    ['309500', 'Diners Club'],
    ['361234', 'Diners Club'],
    ['384099', 'Diners Club'],
    ['384100', 'Hipercard'],
    ['384199', 'Hipercard'],
    ['384200', 'Diners Club'],
    ['606282', 'Hipercard'],
    ['637095', 'Hiper'],
    ['63737423', 'Hiper'],
    ['601100', 'Discover'],
    ['644000', 'Discover'],
    ['650030', 'Discover'],
    ['650031', 'Elo'],
    ['650034', 'Discover'],
    ['655058', 'Elo'],
    ['655059', 'Discover'],
    ['352800', 'JCB'],
    ['358999', 'JCB'],
    ['620000', 'UnionPay'],
    ['817199', 'UnionPay'],
    ['627780', 'Elo'],
    ['627781', 'UnionPay'],
    ['507860', 'Aura'],
    ['506698', 'Aura'],
    ['506699', 'Elo'],
    ['506778', 'Elo'],
    ['506779', 'Aura'],
    ['504175', 'Elo'],
    ['509999', 'Elo'],
    ['636368', 'Elo'],
  ])('%s is the BIN of a card of %s', (bin, brand) => {
    expect(find({ bin })).toEqual({ brand, binKnown: true });
  });

  it.each([
    '000000',
    '123456',
    '222099',
    '272100',
    '306000',
    '352799',
    '359000',
    '560000',
    '606281',
    '637374',
    '818000',
  ])('the BIN %s is in no range of a brand', (bin) => {
    expect(find({ bin })).toEqual({ binKnown: false });
  });

  it('a BIN of eight digits has the brand of its first six digits, if these six digits identify a brand', () => {
    assert(
      property(integer({ min: 0, max: 99_999_999 }), (number) => {
        const bin = String(number).padStart(8, '0');
        const brand = brandOf(bin.slice(0, 6));
        if (brand !== undefined) expect(brandOf(bin)).toBe(brand);
      }),
    );
  });
});

describe('the owner of a card', () => {
  it.each([
    ['529.982.247-25', true],
    ['52998224725', true],
    ['11144477735', false],
    ['5299822472', false],
  ])('the document %s of the card owner equals the document of the person: %s', (ownerDocument, matches) => {
    expect(find({ ownerDocument })).toEqual({ ownerDocumentMatches: matches });
  });

  it('the comparison of the documents of a card and a person ignores upper and lower case', () => {
    expect(find({ ownerDocument: '12abc34501de35' }, undefined, '12.ABC.345/01DE-35')).toEqual({
      ownerDocumentMatches: true,
    });
  });

  it('the owner of a card is compared with the person by name, if both names are known', () => {
    const likenessOf = (ownerName: string) => find({ ownerName }, 'João Carlos da Silva')?.ownerNameLikeness;
    expect(likenessOf('JOAO CARLOS DA SILVA')).toBe(1);
    expect(likenessOf('SILVA, JOAO CARLOS')).toBe(1);
    expect(likenessOf('JOAO C SILVA')).toBeGreaterThanOrEqual(0.9);
    expect(likenessOf('MARIA SOUZA')).toBeLessThan(0.5);
    expect(likenessOf('123')).toBeUndefined();
    expect(find({ ownerName: 'JOAO' })).toBeUndefined();
  });
});

it.each([undefined, {}, { last4: '1234' }, { ownerDocument: ' - ' }, { bin: '4111' }, { bin: '41111x' }])(
  'a card without usable data gives no evidence: %j',
  (card) => {
    expect(find(card, 'João Silva')).toBeUndefined();
  },
);

it('a complete card has all evidence', () => {
  const card = { bin: '506699', last4: '1234', ownerDocument: '529.982.247-25', ownerName: 'JOAO SILVA' };
  expect(find(card, 'João Silva')).toEqual({
    brand: 'Elo',
    binKnown: true,
    ownerDocumentMatches: true,
    ownerNameLikeness: 1,
  });
});
