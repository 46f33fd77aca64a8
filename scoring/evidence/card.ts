import type { Evidence } from '../../domain/scoring/evidence';
import type { TransactionInput } from '../../domain/transactions/input';
import { nameLikeness } from '../names';
import { normalizeDocument } from './person';

/** Finds the brand of a card, and whether its owner is the person. Undefined if the card has neither a valid BIN nor an owner. */
export function findCard({ card, document, name }: TransactionInput): Evidence['card'] {
  if (!card) return undefined;
  const found = { ...findBrand(card.bin), ...findOwner(card, document, name) };
  return Object.keys(found).length > 0 ? found : undefined;
}

function findBrand(bin: string | undefined): Evidence['card'] {
  if (bin === undefined || !/^\d{6}(?:\d\d)?$/.test(bin)) return {};
  const brand = brandOf(bin);
  return brand === undefined ? { binKnown: false } : { brand, binKnown: true };
}

/** Whether the card owner has the document of the person, and how much the names resemble each other. */
function findOwner(
  { ownerDocument, ownerName }: NonNullable<TransactionInput['card']>,
  document: string,
  name: string | undefined,
): Evidence['card'] {
  const owner = normalizeDocument(ownerDocument ?? '');
  const ownerNameLikeness = nameLikeness(ownerName ?? '', name ?? '');
  return {
    ...(owner ? { ownerDocumentMatches: owner === normalizeDocument(document) } : {}),
    ...(ownerNameLikeness === undefined ? {} : { ownerNameLikeness }),
  };
}

/**
 * The first digits of the cards of each brand, as prefixes or ranges. Elo, Hiper and 606282 of Hipercard are from the npm package
 * credit-card-type 10.3.0 (MIT). Brazilian shops also check the older prefixes 3841 (Hipercard) and 50 (Aura). All other prefixes are the
 * international allocations (ISO/IEC 7812) that the brands publish. Some ranges overlap: Elo with Visa, Discover, UnionPay and Aura, and
 * Hipercard with Diners Club. If several prefixes match a card, the longest prefix counts.
 */
const prefixes: Record<string, readonly string[]> = {
  Visa: ['4'],
  Mastercard: ['51-55', '2221-2720'],
  'American Express': ['34', '37'],
  'Diners Club': ['300-305', '3095', '36', '38', '39'],
  Discover: ['6011', '644-649', '65'],
  JCB: ['3528-3589', '1800', '2131'],
  UnionPay: ['62', '810-817'],
  Aura: ['50'],
  Hipercard: ['606282', '3841'],
  Hiper: ['637095', '637568', '637599', '637609', '637612', '63737423', '63743358'],
  Elo: [
    ...['401178-401179', '431274', '438935', '451416', '457393', '457631-457632', '504175', '506699-506778'],
    ...['509000-509999', '627780', '636297', '636368', '650031-650033', '650035-650051', '650405-650439'],
    ...['650485-650538', '650541-650598', '650700-650718', '650720-650727', '650901-650978', '651652-651679'],
    ...['655000-655019', '655021-655058'],
  ],
};

/** The prefixes as ranges. Longer prefixes come first. */
const ranges = Object.entries(prefixes)
  .flatMap(([brand, list]) =>
    list.map((range) => {
      const [from = '', to = from] = range.split('-');
      return { brand, from, to };
    }),
  )
  .toSorted((a, b) => b.from.length - a.from.length);

/** The brand of a card by its first six or eight digits; undefined if unknown. */
export function brandOf(bin: string): string | undefined {
  return ranges.find(({ from, to }) => {
    const start = bin.slice(0, from.length);
    return start >= from && start <= to;
  })?.brand;
}
