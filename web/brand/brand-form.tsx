import type { TargetedEvent } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { ApiProblem, callApi } from '../app/call-api';
import { announceInNextView } from '../app/messages';
import { useTexts } from '../app/use-texts';
import { Button } from '../kit/button';
import { Alert } from '../kit/content';
import { SelectField, TextField } from '../kit/field';
import { languageNames, languages } from '../app/language';
import {
  type Brand,
  type BrandLanguage,
  type BrandPreview,
  type Draft,
  draftOf,
  fieldIssues,
  saveDraft,
  settingsOf,
} from './draft';
import { Preview } from './preview';
import { brandTexts } from './texts';

/** How long the user must pause before the preview is loaded. With less, every key would send a request. */
const pauseMs = 300;

/** The form, and beside it what persons will see. The API checks each change, and its issues are shown at their fields. */
export function BrandForm({ brand, onSaved }: { brand: Brand; onSaved: () => void }) {
  const texts = useTexts(brandTexts);
  const { fields } = texts;
  const [draft, setDraft] = useState<Draft>(() => draftOf(brand));
  const [preview, setPreview] = useState<BrandPreview>();
  const [issues, setIssues] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState('');
  const [isSaving, setSaving] = useState(false);
  const [version, setVersion] = useState(brand.version);
  const id = useId();
  const change = (changes: Partial<Draft>) => setDraft((current) => ({ ...current, ...changes }));
  const body = settingsOf(draft);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    // A check says nothing about the logo, so the issue of a logo that was rejected stays.
    const showIssues = (found: Readonly<Record<string, string>>) =>
      setIssues(({ image }) => (image === undefined ? found : { ...found, image }));
    const check = async () => {
      try {
        const checked = await callApi('post', '/v1/brand/check', { body, signal });
        setPreview(checked);
        showIssues({});
      } catch (error) {
        // After other errors, the earlier preview stays. If the service does not work, saving says so.
        if (!signal.aborted) showIssues(fieldIssues(error) ?? {});
      }
    };
    const timer = setTimeout(() => void check(), pauseMs);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [JSON.stringify(body)]);

  const save = async () => {
    setSaving(true);
    setFailure('');
    try {
      await saveDraft(draft, version, setVersion);
      announceInNextView(texts.saved);
      onSaved();
    } catch (error) {
      const found = fieldIssues(error);
      setIssues(found ?? {});
      if (error instanceof ApiProblem && error.code === 'brand_changed') setFailure(texts.changed);
      else if (error instanceof ApiProblem && error.code === 'insufficient_scope') setFailure(texts.scopeHint);
      else setFailure(found ? texts.invalid : texts.notSaved);
    }
    setSaving(false);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    if (!isSaving) void save();
  };
  const chooseLogo = ({ currentTarget }: TargetedEvent<HTMLInputElement>) => {
    const [file] = currentTarget.files ?? [];
    if (!file) return;
    change({ newLogo: file, logoUrl: URL.createObjectURL(file) });
    setIssues((shown) => Object.fromEntries(Object.entries(shown).filter(([field]) => field !== 'image')));
  };
  const [main = 'en'] = draft.languages;
  const toggle = (language: BrandLanguage, isOffered: boolean) =>
    change({
      languages: isOffered ? [...draft.languages, language] : draft.languages.filter((other) => other !== language),
    });
  const text = (field: 'name' | 'color' | 'supportUrl' | 'domain' | 'androidHash', path: string) => ({
    label: fields[field],
    hint: fields[`${field}Hint`],
    value: draft[field],
    error: issues[path],
    onInput: ({ currentTarget }: TargetedEvent<HTMLInputElement>) => change({ [field]: currentTarget.value }),
  });

  return (
    <div class="brand-columns">
      <form class="card form" onSubmit={submit} novalidate>
        <TextField {...text('name', 'name')} maxLength={40} />
        <TextField {...text('color', 'colors.main')} />
        <div class="field">
          <label class="field-label" for={id}>
            {fields.logo}
          </label>
          <input
            class="field-control"
            type="file"
            id={id}
            accept="image/png,image/jpeg,image/webp"
            aria-describedby={`${id}-hint`}
            onChange={chooseLogo}
          />
          <p class="field-hint" id={`${id}-hint`}>
            {fields.logoHint}
          </p>
          {issues['image'] !== undefined && <p class="field-error">{issues['image']}</p>}
          {draft.logoUrl !== undefined && (
            <p>
              <Button tone="small" onClick={() => change({ newLogo: 'none', logoUrl: undefined })}>
                {fields.removeLogo}
              </Button>
            </p>
          )}
        </div>
        <TextField {...text('supportUrl', 'supportUrl')} />
        <SelectField
          label={fields.defaultLanguage}
          value={main}
          options={languages.map((language) => ({ value: language, label: languageNames[language] }))}
          onChange={(chosen) =>
            change({
              languages: [chosen as BrandLanguage, ...draft.languages.filter((other) => other !== chosen)],
            })
          }
        />
        <fieldset class="field">
          <legend class="field-label">{fields.otherLanguages}</legend>
          {languages
            .filter((language) => language !== main)
            .map((language) => (
              <label class="brand-check">
                <input
                  type="checkbox"
                  checked={draft.languages.includes(language)}
                  onChange={({ currentTarget }) => toggle(language, currentTarget.checked)}
                />
                {languageNames[language]}
              </label>
            ))}
          <p class="field-hint">{fields.languagesHint}</p>
        </fieldset>
        <TextField {...text('domain', 'smsAutofill.domain')} />
        <TextField {...text('androidHash', 'smsAutofill.androidHash')} />
        {failure && <Alert tone="bad">{failure}</Alert>}
        <div class="form-actions">
          <Button type="submit" tone="main" isBusy={isSaving}>
            {texts.save}
          </Button>
        </div>
      </form>
      <Preview draft={draft} preview={preview} />
    </div>
  );
}
