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
  const { value, error, reload } = useLoaded('brand', (signal) => callApi('get', '/v1/brand', { signal }));
  if (error !== undefined)
    return <Failure error={error} tab={texts.heading} scopeHint={texts.scopeHint} onRetry={reload} />;
  if (!value) return null;
  return (
    <View key={value.version} heading={texts.heading} tab={texts.heading}>
      <p class="soft">{value.source === 'service' ? texts.notSet : texts.lead}</p>
      <BrandForm brand={value} onSaved={reload} />
    </View>
  );
}
