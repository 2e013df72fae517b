import type { ComponentChildren } from 'preact';
import { Badge } from '../../../platform/pages/components/badge';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextArea } from '../../../platform/pages/components/text-area';
import { TextField } from '../../../platform/pages/components/text-field';
import { Day } from '../../../platform/pages/components/time';
import type { FormInput } from '../../../platform/pages/form-input';
import type { LeadFields, LeadView } from '../domain/lead';
import type { LeadFieldView } from '../domain/lead-field';
import type { LostReasonView } from '../domain/lost-reason';
import type { StageView } from '../domain/pipeline-stage';
import type { Owner } from './leads-toolbar';

/** What the choices of a lead's form are made of. */
export interface LeadFormChoices {
  readonly stages: readonly StageView[];
  readonly owners: readonly Owner[];
  readonly reasons: readonly LostReasonView[];
  readonly fields: readonly LeadFieldView[];
}

/** The names of what a lead refers to; null where there is none. */
export interface LeadNames {
  readonly owner: string | null;
  readonly lostReason: string | null;
}

interface Option {
  readonly value: string;
  readonly label: string;
}

interface InputProps {
  readonly form: FormInput;
  readonly name: string;
  readonly label: string;
}

/** How pages show one of a lead's own fields, and take it. */
interface OwnField {
  readonly name: Exclude<keyof LeadFields, 'custom'>;
  readonly label: string;
  readonly input: (props: InputProps, choices: LeadFormChoices) => ComponentChildren;
  /** Among the facts; left out where the title of the page or a section of its own shows it. */
  readonly shown?: (lead: LeadView, names: LeadNames) => ComponentChildren;
  /** What a text stands for in JSON. */
  readonly json?: (text: string) => unknown;
  /** What the field of the form begins with. */
  readonly text?: (lead: LeadView) => string;
}

const MAX_DIGITS = 15;

/** In the order of the form and of the facts. */
export const OWN_FIELDS: readonly OwnField[] = [
  { name: 'name', label: 'Name', input: (props) => <TextField {...props} autoComplete="off" /> },
  {
    name: 'email',
    label: 'Email',
    input: (props) => <TextField {...props} type="email" required autoComplete="off" />,
    shown: ({ email }) => <a href={`mailto:${encodeURIComponent(email)}`}>{email}</a>,
  },
  {
    name: 'phone',
    label: 'Phone',
    input: (props) => (
      <TextField {...props} inputMode="tel" autoComplete="off" hint="With the country: +34 600 123 456." />
    ),
    shown: ({ phone }) => phone && <a href={`tel:${phone}`}>{phone}</a>,
  },
  {
    name: 'eventDate',
    label: 'Event date',
    input: (props) => <TextField {...props} type="date" short />,
    shown: ({ eventDate }) => eventDate && <Day on={eventDate} />,
  },
  {
    name: 'guests',
    label: 'Guests',
    input: (props) => <TextField {...props} inputMode="numeric" short />,
    shown: ({ guests }) => guests,
    json: integerIn,
  },
  {
    name: 'source',
    label: 'Source',
    input: (props) => <TextField {...props} hint="Where the lead came from, such as website or fair." />,
    shown: ({ source }) => source,
  },
  {
    name: 'tags',
    label: 'Tags',
    input: (props) => <TextField {...props} hint="Separated by commas." />,
    shown: ({ tags }) => tags.length > 0 && <Tags tags={tags} />,
    json: (text) =>
      text
        .split(',')
        .map((tag) => tag.trim())
        .filter(Boolean),
    text: ({ tags }) => tags.join(', '),
  },
  {
    name: 'stage',
    label: 'Stage',
    input: (props, { stages }) => (
      <SelectField
        {...props}
        options={withPresent(
          stages
            .filter(({ isHidden, key }) => !isHidden || key === props.form.value('stage'))
            .map(({ key, name }) => ({ value: key, label: name })),
          props.form.value('stage'),
        )}
      />
    ),
    json: (text) => text || undefined,
  },
  {
    name: 'ownerId',
    label: 'Owner',
    input: (props, { owners }) => (
      <SelectField
        {...props}
        options={withPresent(
          [
            { value: '', label: 'Nobody' },
            ...owners.map(({ userId, email }) => ({ value: userId, label: email })),
          ],
          props.form.value('ownerId'),
        )}
      />
    ),
    shown: (_, { owner }) => owner ?? 'Nobody',
  },
  {
    name: 'lostReasonId',
    label: 'Lost reason',
    input: (props, { reasons }) =>
      (reasons.length > 0 || props.form.value('lostReasonId') !== '') && (
        <SelectField
          {...props}
          hint="Only for a lead at a lost stage."
          options={withPresent(
            [{ value: '', label: 'None' }, ...reasons.map(({ id, name }) => ({ value: id, label: name }))],
            props.form.value('lostReasonId'),
          )}
        />
      ),
    shown: (_, { lostReason }) => lostReason,
  },
  {
    name: 'lostNote',
    label: 'Note on the loss',
    input: (props) => <TextArea {...props} rows={2} hint="Only for a lead at a lost stage." />,
    shown: ({ lostNote }) => lostNote && <span class="pre">{lostNote}</span>,
  },
  {
    name: 'externalId',
    label: 'External ID',
    input: (props) => <TextField {...props} hint="Its id in another system." />,
    shown: ({ externalId }) => externalId && <code>{externalId}</code>,
  },
];

/** The labels of a lead's fields, by the names that problems go by. */
export function labelsWith(fields: readonly LeadFieldView[]): Record<string, string> {
  return Object.fromEntries([
    ...OWN_FIELDS.map(({ name, label }) => [name, label] as const),
    ...fields.map(({ key, label }) => [`custom.${key}`, label] as const),
  ]);
}

/** Text that is no whole number stays, for the rules to refuse it: “1,000” may be a thousand or one. */
export function integerIn(text: string): number | string | null {
  return text === '' ? null : /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

/** The same for decimals, after a point or a comma. “1,000” stays text here, too. */
export function decimalIn(text: string): number | string | null {
  if (text === '') return null;
  const isNumber = /^-?\d+([.,]\d+)?$/.test(text) && !/^-?[1-9]\d{0,2},\d{3}$/.test(text);
  return isNumber && text.replace(/\D/g, '').length <= MAX_DIGITS ? Number(text.replace(',', '.')) : text;
}

/** With an option for what the lead has and nobody else can get any more, so that saving the form keeps it. */
function withPresent(options: readonly Option[], present: string): Option[] {
  const isOffered = options.some(({ value }) => value === present);
  return isOffered ? [...options] : [{ value: present, label: 'As it is' }, ...options];
}

function Tags({ tags }: { tags: readonly string[] }) {
  return (
    <span class="tags" dir="auto">
      {tags.map((tag) => (
        <Badge>{tag}</Badge>
      ))}
    </span>
  );
}
