import { Button } from '../../../platform/pages/components/button';
import { DescriptionList } from '../../../platform/pages/components/description-list';
import { Form } from '../../../platform/pages/components/form';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Section } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, isAdmin, SettingsPage, settingsPath } from '../../shell';

const LABELS = { name: 'Name', timeZone: 'Time zone', currency: 'Currency', locale: 'Language' };

interface WorkspacePageProps {
  area: Area;
  form: FormInput;
  saved?: boolean;
}

export function WorkspacePage({ area, form, saved }: WorkspacePageProps) {
  return (
    <SettingsPage area={area} place="workspace" title="General" done={saved ? 'Changes saved.' : undefined}>
      <Section title="Workspace">
        {isAdmin(area) ? <WorkspaceForm area={area} form={form} /> : <WorkspaceFacts area={area} />}
      </Section>
    </SettingsPage>
  );
}

function WorkspaceForm({ area, form }: Pick<WorkspacePageProps, 'area' | 'form'>) {
  return (
    <Form action={settingsPath(area, 'workspace')}>
      <ProblemSummary form={form} labels={LABELS} />
      <TextField form={form} name="name" label={LABELS.name} required />
      <SelectField
        form={form}
        name="timeZone"
        label={LABELS.timeZone}
        hint="Used for calendar days and expiry dates."
        options={choices(Intl.supportedValuesOf('timeZone'), 'UTC', form.value('timeZone'))}
      />
      <SelectField
        form={form}
        name="currency"
        label={LABELS.currency}
        options={currencies.map((value) => ({ value, label: `${value} – ${currencyNames.of(value)!}` }))}
      />
      <SelectField
        form={form}
        name="locale"
        label={LABELS.locale}
        hint="For your clients’ proposals. Texts are in English, French, German or Spanish; numbers and dates follow every language listed."
        options={choices(LOCALES, area.workspace.locale).map(({ value }) => ({
          value,
          label: localeName(value),
        }))}
      />
      <Button>Save</Button>
    </Form>
  );
}

function WorkspaceFacts({ area }: { area: Area }) {
  const { name, timeZone, currency, locale } = area.workspace;
  return (
    <>
      <DescriptionList
        items={[
          { term: LABELS.name, details: name },
          { term: LABELS.timeZone, details: timeZone },
          { term: LABELS.currency, details: currency },
          { term: LABELS.locale, details: localeName(locale) },
        ]}
      />
      <p class="quiet">Only owners and admins can change these settings.</p>
    </>
  );
}

/** The locales on offer. A workspace with another locale keeps it. */
const LOCALES = [
  ...[
    'da-DK',
    'de-AT',
    'de-CH',
    'de-DE',
    'el-GR',
    'en-AU',
    'en-CA',
    'en-GB',
    'en-IE',
    'en-IN',
    'en-US',
    'en-ZA',
  ],
  ...[
    'es-AR',
    'es-CO',
    'es-ES',
    'es-MX',
    'fi-FI',
    'fr-BE',
    'fr-CA',
    'fr-CH',
    'fr-FR',
    'it-IT',
    'ja-JP',
    'nb-NO',
  ],
  ...['nl-BE', 'nl-NL', 'pl-PL', 'pt-BR', 'pt-PT', 'sv-SE'],
];
const localeNames = new Intl.DisplayNames('en', { type: 'language', languageDisplay: 'standard' });
const localeName = (locale: string) => localeNames.of(locale) ?? locale;

const currencies = Intl.supportedValuesOf('currency');
const currencyNames = new Intl.DisplayNames('en', { type: 'currency' });

/** A zone has several names of which one is listed. Adds the name in use, so that saving keeps it. */
function choices(listed: readonly string[], ...others: string[]) {
  const all = [...new Set([...listed, ...others.filter(Boolean)])].sort();
  return all.map((value) => ({ value, label: value.replaceAll('_', ' ') }));
}
