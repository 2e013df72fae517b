import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import {
  type Area,
  Button,
  CheckboxField,
  fieldRules,
  Form,
  FormInput,
  HtmlPage,
  InArea,
  type PageAnswer,
  ProblemSummary,
  queryText,
  Redirect,
  refOf,
  SettingsPage,
  settingsPath,
  SettingsPages,
  Submitted,
  TextArea,
  TextField,
} from 'gala';
import { LoyaltySettings } from '../application/loyalty-settings';

const PAGE = 'loyalty-settings';
const LABELS = {
  memberTag: 'Tag for members’ leads',
  keepsAddress: 'Keep the email address of leads with points',
  notes: 'Notes for staff',
};

/** Settings → Venue → Loyalty settings. */
@Controller(`settings/:workspace/:mode/${PAGE}`)
@SettingsPages('admin')
export class LoyaltySettingsController {
  constructor(private readonly settings: LoyaltySettings) {}

  @Get()
  async show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    const { memberTag, keepsAddress, notes } = await this.settings.get(refOf(area));
    const form = new FormInput({
      memberTag: memberTag ?? '',
      keepsAddress: keepsAddress ? 'yes' : undefined,
      notes: notes ?? '',
    });
    return new HtmlPage(<Page area={area} form={form} saved={queryText(request, 'notice') === 'saved'} />);
  }

  @Post()
  async change(@InArea() area: Area, @Submitted() form: FormInput): Promise<PageAnswer> {
    const done = await form.submit(() =>
      this.settings.change(refOf(area), {
        memberTag: form.optional('memberTag', fieldRules.text(50)),
        keepsAddress: form.isChecked('keepsAddress'),
        notes: form.optional('notes', fieldRules.text(2000)),
      }),
    );
    if (done) return new Redirect(`${settingsPath(area, `${area.mode}/${PAGE}`)}?notice=saved`);
    return new HtmlPage(<Page area={area} form={form} saved={false} />, 422);
  }
}

function Page({ area, form, saved }: { area: Area; form: FormInput; saved: boolean }) {
  return (
    <SettingsPage
      area={area}
      place={`:mode/${PAGE}`}
      title="Loyalty settings"
      done={saved ? 'The settings were saved.' : undefined}
    >
      <Form action={settingsPath(area, `${area.mode}/${PAGE}`)}>
        <ProblemSummary form={form} labels={LABELS} />
        <TextField form={form} name="memberTag" label={LABELS.memberTag} short />
        <CheckboxField form={form} name="keepsAddress" label={LABELS.keepsAddress} />
        <TextArea form={form} name="notes" label={LABELS.notes} />
        <Button>Save</Button>
      </Form>
    </SettingsPage>
  );
}
