import { useState } from 'preact/hooks';
import { callApi } from '../app/call-api';
import { Failure } from '../app/failure';
import { useLoaded } from '../app/use-loaded';
import { useTexts } from '../app/use-texts';
import { View } from '../app/view';
import { BrandForm } from './brand-form';
import { brandTexts } from './texts';

/** The page on which a tenant sees and changes its brand. */
export function BrandPage() {
  const texts = useTexts(brandTexts);
  /** Each save loads the brand again, as a new view, which shows that the brand is saved. */
  const [saves, setSaves] = useState(0);
  const { key, value, error, reload } = useLoaded(`after ${saves} saves`, (signal) =>
    callApi('get', '/v1/brand', { signal }),
  );
  if (error !== undefined)
    return <Failure error={error} tab={texts.heading} scopeHint={texts.scopeHint} onRetry={reload} />;
  if (!value) return null;
  return (
    <View key={key} heading={texts.heading} tab={texts.heading}>
      <p class="soft">{value.source === 'service' ? texts.notSet : texts.lead}</p>
      <BrandForm brand={value} onSaved={() => setSaves(saves + 1)} />
    </View>
  );
}
