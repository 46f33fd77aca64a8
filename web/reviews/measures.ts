import type { CaptureKind, Finding, FindingCode, Measures } from './review-types';
import type { ReviewTexts } from './texts/texts';

/** A measure or a finding of an image, as a short text. */
export interface ShownMeasure {
  text: string;
  /** Whether the text is about a finding. */
  isIssue: boolean;
}

/** The codes of findings about a measure, such as the sharpness. Other findings are about the face. */
const codesOfMeasures: readonly FindingCode[] = ['blurred', 'dark', 'bright', 'small'];

/**
 * The findings and the measures of an image. A measure without a finding counts as good. The page has no thresholds of its own, so it
 * cannot contradict the service.
 */
export function measuresOf(
  kind: CaptureKind,
  { width, height, sharpness, brightness }: Measures,
  findings: readonly Finding[],
  { findings: texts, goodMeasures }: ReviewTexts,
): ShownMeasure[] {
  const codes = findings.filter(({ capture }) => capture === kind).map(({ code }) => code);
  const measure = (possible: readonly FindingCode[], good: string, value: string | number): ShownMeasure => {
    const found = possible.find((code) => codes.includes(code));
    return { text: `${found ? texts[found] : good} (${value})`, isIssue: found !== undefined };
  };
  return [
    ...codes.filter((code) => !codesOfMeasures.includes(code)).map((code) => ({ text: texts[code], isIssue: true })),
    measure(['blurred'], goodMeasures.sharp, Math.round(sharpness)),
    measure(['dark', 'bright'], goodMeasures.light, Math.round(brightness)),
    measure(['small'], goodMeasures.size, `${width} × ${height}`),
  ];
}
