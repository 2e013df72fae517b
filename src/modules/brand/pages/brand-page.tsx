import { dayIn } from '../../../kernel/time-zone';
import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { SelectField } from '../../../platform/pages/components/select-field';
import { TextArea } from '../../../platform/pages/components/text-area';
import { TextField } from '../../../platform/pages/components/text-field';
import type { FormInput } from '../../../platform/pages/form-input';
import type { FileView } from '../../files';
import { type Area, SettingsPage, settingsPath } from '../../shell';

const LABELS = {
  name: 'Name shown',
  logo: 'Logo',
  cover: 'Cover image',
  accent: 'Accent colour',
  address: 'Address',
  taxNumber: 'Tax number',
  replyTo: 'Reply-to address',
  contactName: 'Name',
  contactPhoto: 'Photo',
  contactPhone: 'Phone',
  contactEmail: 'Email',
};

interface BrandPageProps {
  area: Area;
  form: FormInput;
  /** The state of the brand that the form replaces. */
  seen: string;
  files: readonly FileView[];
  saved?: boolean;
}

export function BrandPage({ area, form, seen, files, saved }: BrandPageProps) {
  const path = settingsPath(area, `${area.mode}/brand`);
  const images = files.map(({ id, name, width, height, createdAt }) => ({
    value: id,
    label: `${name ?? 'Image'} (${width} × ${height}, ${dayIn(area.workspace.timeZone, createdAt)})`,
  }));
  const image = (name: 'logo' | 'cover' | 'contactPhoto', hint?: string) => (
    <SelectField
      form={form}
      name={name}
      label={LABELS[name]}
      hint={hint}
      options={[{ value: '', label: 'None' }, ...images]}
    />
  );
  return (
    <SettingsPage
      area={area}
      place=":mode/brand"
      title="Brand"
      intro="What clients see on proposals. Images come from Files."
      done={saved ? 'Changes saved.' : undefined}
    >
      <Form action={path}>
        <input type="hidden" name="seen" value={seen} />
        {form.problem('If-Match') === undefined ? (
          <ProblemSummary form={form} labels={LABELS} />
        ) : (
          <Notice kind="danger" title="Somebody changed the brand meanwhile">
            Nothing was saved yet, and the form has all that you typed.{' '}
            <Link to={path}>See the brand as it is now</Link>, then save again to replace it with yours.
          </Notice>
        )}
        <TextField form={form} name="name" label={LABELS.name} hint={`Without it, ${area.workspace.name}.`} />
        {image('logo', 'With a transparent background it also works in the dark.')}
        {image('cover', 'For proposals without a cover of their own.')}
        <TextField
          form={form}
          name="accent"
          label={LABELS.accent}
          hint="For buttons and links, such as #7a3cc2. It has to be dark enough to be read on white."
          short
        />
        <TextArea form={form} name="address" label={LABELS.address} rows={3} />
        <TextField form={form} name="taxNumber" label={LABELS.taxNumber} short />
        <TextField
          form={form}
          name="replyTo"
          label={LABELS.replyTo}
          hint="Where clients’ answers to emails go."
        />
        <h2>Contact</h2>
        <TextField form={form} name="contactName" label={LABELS.contactName} />
        {image('contactPhoto')}
        <TextField form={form} name="contactPhone" label={LABELS.contactPhone} short />
        <TextField form={form} name="contactEmail" label={LABELS.contactEmail} />
        <Button>Save</Button>
      </Form>
    </SettingsPage>
  );
}
