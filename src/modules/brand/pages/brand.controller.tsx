import { Controller, Get, Post, Req } from '@nestjs/common';
import type { Request } from 'express';
import type { Person } from '../../../kernel/actor';
import { type FileId, parseId } from '../../../kernel/ids';
import type { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { queryText } from '../../../platform/pages/query-text';
import { SignedInPerson } from '../../accounts';
import { FileQueries } from '../../files';
import { type Area, InArea, refOf, SettingsPages, settingsPath } from '../../shell';
import { Brands } from '../application/brands';
import { formOf, readBrand, seenBrand, stateOf } from './brand-form';
import { BrandPage } from './brand-page';

const MOST_IMAGES = 100;
const IMAGE_FIELDS = ['logo', 'cover', 'contactPhoto'];

/** Settings → Workspace → Brand. */
@Controller('settings/:workspace/:mode/brand')
@SettingsPages('admin')
export class BrandController {
  constructor(
    private readonly brands: Brands,
    private readonly files: FileQueries,
  ) {}

  @Get()
  async show(@Req() request: Request, @InArea() area: Area): Promise<HtmlPage> {
    const brand = await this.brands.of(refOf(area));
    return this.page(area, formOf(brand), stateOf(brand), queryText(request, 'notice') === 'saved');
  }

  @Post()
  async change(
    @InArea() area: Area,
    @SignedInPerson() person: Person,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const brand = readBrand(form);
    const done = await form.submit(() => this.brands.change(refOf(area), person, brand, seenBrand(form)));
    if (done) return new Redirect(`${settingsPath(area, `${area.mode}/brand`)}?notice=saved`);
    // Once that is said, saving again replaces what somebody else saved.
    const isStale = form.problem('If-Match') !== undefined;
    return this.page(area, form, isStale ? stateOf(await this.brands.of(refOf(area))) : form.value('seen'));
  }

  private async page(area: Area, form: FormInput, seen: string, saved = false): Promise<HtmlPage> {
    const chosen = IMAGE_FIELDS.map((name) => parseId('file', form.value(name)));
    const named = chosen.filter((id): id is FileId => id !== undefined);
    const files = await this.files.choices(refOf(area), named, MOST_IMAGES);
    return new HtmlPage(
      <BrandPage area={area} form={form} seen={seen} files={files} saved={saved} />,
      form.isFaulty ? 422 : 200,
    );
  }
}
