import { Controller, Get } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { Exports } from '../../../platform/exports/exports';
import { Download } from '../../../platform/pages/page-answer';
import { SignedInPerson } from '../../accounts';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { LeadQueries } from '../application/lead-queries';

/** The file that the pipeline page links to. */
@Controller('settings/:workspace/:mode/leads/export')
@SettingsPages('member')
export class LeadsDownloadController {
  constructor(
    private readonly queries: LeadQueries,
    private readonly exports: Exports,
  ) {}

  @Get()
  download(@InArea() area: Area, @SignedInPerson() person: Person): Download {
    const ref = refOf(area);
    const pages = this.queries.all(ref, { archived: 'false' });
    return new Download((response) =>
      this.exports.send(response, { list: 'leads', ref, holder: person.id, asked: {}, pages }),
    );
  }
}
