import { useTexts } from '../app/use-texts';
import { languageNames } from '../app/language';
import { Tag } from '../kit/content';
import type { BrandPreview, Draft } from './draft';
import { brandTexts } from './texts';

type Scheme = 'light' | 'dark';
type SchemeColors = NonNullable<BrandPreview['colors']>[Scheme];

interface SampleProps {
  draft: Draft;
  scheme: Scheme;
  colors: SchemeColors | undefined;
}

/** The colors of a brand as the custom properties of web/kit/style/tokens.css. */
const propertiesOf = (colors: SchemeColors | undefined) =>
  colors && {
    '--strong': colors.strong,
    '--on-strong': colors.onStrong,
    '--strong-soft': colors.strongSoft,
  };

const Head = ({ draft: { name, logoUrl } }: Pick<SampleProps, 'draft'>) => (
  <p class="sample-head">
    {logoUrl !== undefined && <img src={logoUrl} alt="" />}
    <span>{name}</span>
  </p>
);

/** A small copy of the page on which a person enters a code. It is an example, so nothing in it can be used. */
function CodePage({ draft }: Pick<SampleProps, 'draft'>) {
  const { sample } = useTexts(brandTexts);
  return (
    <div class="sample-page">
      <Head draft={draft} />
      <p class="sample-title">{sample.enterCode}</p>
      <p class="soft">{sample.sent(draft.name)}</p>
      <p class="sample-field">481516</p>
      <p class="button button-main">{sample.confirm}</p>
      {draft.supportUrl && <p class="sample-link">{sample.help(draft.name)}</p>}
    </div>
  );
}

function Mail({ draft }: Pick<SampleProps, 'draft'>) {
  const { sample } = useTexts(brandTexts);
  return (
    <div class="sample-page">
      <Head draft={draft} />
      <p>{sample.mailText}</p>
      <p class="sample-code">481516</p>
      <p class="button button-main">{sample.confirmMail}</p>
      <p class="sample-link">{sample.deny}</p>
    </div>
  );
}

/** What persons will see: the page and the mail in both color schemes, and the SMS in each language with its segments. */
export function Preview({ draft, preview }: { draft: Draft; preview: BrandPreview | undefined }) {
  const texts = useTexts(brandTexts);
  const { sample } = texts;
  return (
    <section class="brand-preview" aria-label={texts.preview}>
      <h2>{texts.preview}</h2>
      <div class="samples">
        {(['light', 'dark'] as const).map((scheme) => (
          <div class={`sample sample-${scheme}`} style={propertiesOf(preview?.colors?.[scheme])}>
            <p class="soft small">{sample[scheme]}</p>
            <CodePage draft={draft} />
            <Mail draft={draft} />
          </div>
        ))}
      </div>
      <ul class="rows">
        {preview?.smsTexts.map(({ language, text, segments, alphabet }) => (
          <li class="card">
            <p class="line">
              <span class="strong">{sample.sms(languageNames[language])}</span>
              <Tag tone={segments > 1 ? 'warn' : 'good'}>{sample.segments(segments)}</Tag>
            </p>
            <p class="sample-sms" lang={language}>
              {text}
            </p>
            {alphabet === 'unicode' && <p class="soft small">{sample.unicode}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
