export const captureKinds = ['documentFront', 'documentBack', 'selfie'];

export const captureNames = {
  documentFront: 'Front of the document',
  documentBack: 'Back of the document',
  selfie: 'Selfie',
};

export const shortNames = { documentFront: 'Front', documentBack: 'Back', selfie: 'Selfie' };

const findingTexts = {
  blurred: 'blurred',
  dark: 'too dark',
  bright: 'too bright',
  small: 'too small',
  no_face: 'no face found',
  several_faces: 'several faces',
  low_similarity: 'unlike the document',
  low_liveness: 'perhaps no living person',
};

/** A code that is newer than this page is told as it is. */
const plain = (code) => findingTexts[code] ?? code.replaceAll('_', ' ');

/** "Selfie: unlike the document" */
export const findingText = ({ capture, code }) => `${shortNames[capture] ?? capture}: ${plain(code)}`;

/**
 * What was measured of an image and found on it, as [{ text, fault }]. The service has judged the measures, so that no
 * second bound can contradict its findings: a measure that is no finding is good.
 */
export function measuresOf(kind, { width, height, sharpness, brightness }, findings) {
  const codes = findings.filter(({ capture }) => capture === kind).map(({ code }) => code);
  const judged = (faults, good) => faults.find((code) => codes.includes(code)) ?? good;
  const measures = [
    [judged(['blurred'], 'sharp'), Math.round(sharpness)],
    [judged(['dark', 'bright'], 'good light'), Math.round(brightness)],
    [judged(['small'], 'good size'), `${width} × ${height}`],
  ].map(([word, number]) => ({ text: `${plain(word)} (${number})`, fault: codes.includes(word) }));
  const measured = ['blurred', 'dark', 'bright', 'small'];
  const others = codes.filter((code) => !measured.includes(code)).map((code) => ({ text: plain(code), fault: true }));
  return [...others, ...measures];
}

/** What a reviewer can decide, and reasons that many decisions have. */
export const decisions = [
  {
    status: 'Approved',
    icon: 'approve',
    choice: 'Approve',
    press: 'Approve',
    reasons: ['Same person on selfie and document.', 'Same person, and the document agrees with the data.'],
  },
  {
    status: 'Rejected',
    icon: 'reject',
    choice: 'Reject',
    press: 'Reject',
    reasons: [
      'Another person on the selfie.',
      'The data do not agree.',
      'The document looks altered.',
      'Picture of a screen or copy.',
    ],
  },
  {
    status: 'Inconclusive',
    icon: 'inconclusive',
    choice: 'Inconclusive',
    press: 'Mark as inconclusive',
    reasons: [
      'The document cannot be read.',
      'The face cannot be seen.',
      'A part of the document is missing.',
      'Not a document that we accept.',
    ],
  },
];

export const decidedTexts = { Approved: 'Approved.', Rejected: 'Rejected.', Inconclusive: 'Marked as inconclusive.' };
