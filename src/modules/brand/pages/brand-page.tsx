import { Button } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
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
  files: readonly FileView[];
  saved?: boolean;
}

export function BrandPage({ area, form, files, saved }: BrandPageProps) {
  const images = files.map(({ id, name, width, height, createdAt }) => ({
    value: id,
    label: `${name ?? 'Image'} (${width} × ${height}, ${createdAt.toISOString().slice(0, 10)})`,
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
      <Form action={settingsPath(area, `${area.mode}/brand`)}>
        <ProblemSummary form={form} labels={LABELS} />
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
