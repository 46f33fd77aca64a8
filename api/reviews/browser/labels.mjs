export const captureKinds = ['documentFront', 'documentBack', 'selfie'];

export const captureNames = {
  documentFront: 'Front of the document',
  documentBack: 'Back of the document',
  selfie: 'Selfie',
};

export const shortCaptureNames = { documentFront: 'Front', documentBack: 'Back', selfie: 'Selfie' };

const findingTexts = {
  blurred: 'blurred',
  dark: 'too dark',
  bright: 'too bright',
  small: 'too small',
  no_face: 'no face found',
  several_faces: 'several faces',
  low_similarity: 'does not match the document',
  low_liveness: 'possibly not a live person',
};

/** A code that the page does not know is shown as it is. */
const codeText = (code) => findingTexts[code] ?? code.replaceAll('_', ' ');

/** "Selfie: does not match the document" */
export const findingText = ({ capture, code }) => `${shortCaptureNames[capture] ?? capture}: ${codeText(code)}`;

/**
 * The measures and findings of an image, as [{ text, issue }]. `issue`: whether it is a finding. A measure without a finding
 * counts as good. The page has no thresholds of its own, so it cannot contradict the service.
 */
export function measuresOf(kind, { width, height, sharpness, brightness }, findings) {
  const codes = findings.filter(({ capture }) => capture === kind).map(({ code }) => code);
  const wordOf = (possibleCodes, goodWord) => possibleCodes.find((code) => codes.includes(code)) ?? goodWord;
  const measures = [
    [wordOf(['blurred'], 'sharp'), Math.round(sharpness)],
    [wordOf(['dark', 'bright'], 'good light'), Math.round(brightness)],
    [wordOf(['small'], 'good size'), `${width} × ${height}`],
  ].map(([word, number]) => ({ text: `${codeText(word)} (${number})`, issue: codes.includes(word) }));
  const measureCodes = ['blurred', 'dark', 'bright', 'small'];
  const otherFindings = codes
    .filter((code) => !measureCodes.includes(code))
    .map((code) => ({ text: codeText(code), issue: true }));
  return [...otherFindings, ...measures];
}

/** The decisions. `choice`: the text of the choice. `press`: the text of the button. `reasons`: suggested reasons. */
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
      'The data on the document differ.',
      'The document looks altered.',
      'The picture shows a screen or a copy.',
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
      'We do not accept this document.',
    ],
  },
];

export const decidedTexts = { Approved: 'Approved.', Rejected: 'Rejected.', Inconclusive: 'Marked as inconclusive.' };
