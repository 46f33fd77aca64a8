import { useTexts } from '../app/use-texts';
import { Icon } from '../kit/icon';
import type { Finding } from './review-types';
import { reviewTexts } from './texts';

/** What the service found on the images: "Selfie: does not match the document". */
export function FindingTags({ findings }: { findings: readonly Finding[] }) {
  const { captures, findings: texts, review } = useTexts(reviewTexts);
  if (findings.length === 0) return <span class="soft">{review.noFindings}</span>;
  return (
    <ul class="tags">
      {findings.map(({ capture, code }) => (
        <li class="tag tag-warn" key={`${capture} ${code}`}>
          <Icon name="warning" />
          {captures[capture].short}: {texts[code]}
        </li>
      ))}
    </ul>
  );
}
