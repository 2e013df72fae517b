import { Controller, Get, Param, Post } from '@nestjs/common';
import type { Person } from '../../../kernel/actor';
import { FormInput } from '../../../platform/pages/form-input';
import { HtmlPage, type PageAnswer, Redirect } from '../../../platform/pages/page-answer';
import { Submitted } from '../../../platform/pages/pages.decorator';
import { SignedInPerson } from '../../accounts';
import { FileQueries, type PageFile } from '../../files';
import { type Area, InArea, refOf, SettingsPages } from '../../shell';
import { ChangeProposal } from '../application/change-proposal';
import { ProposalQueries } from '../application/proposal-queries';
import type { ProposalView } from '../application/proposal-views';
import { imagesOf, MAX_SECTION_IMAGES } from '../domain/presentation';
import { placeOf, withPlaces } from './image-places';
import { ImagesPage } from './images-page';
import { proposalPath, readProposalId } from './proposal-paths';
import { seenRevision } from './seen-revision';

/** The newest; those that the draft shows come along. */
const MOST_IMAGES = 60;

/** Settings → Sales → Proposals: the images of a draft. */
@Controller('settings/:workspace/:mode/proposals')
@SettingsPages('member')
export class ImagesController {
  constructor(
    private readonly queries: ProposalQueries,
    private readonly changeProposal: ChangeProposal,
    private readonly files: FileQueries,
  ) {}

  @Get(':proposal/images')
  async show(@InArea() area: Area, @Param('proposal') id: string): Promise<PageAnswer> {
    const proposal = await this.queries.get(refOf(area), readProposalId(id));
    if (proposal.status !== 'draft' || proposal.archivedAt) {
      return new Redirect(proposalPath(area, proposal.id));
    }
    const files = await this.choices(area, proposal);
    const values = files.map((file) => [file.id, placeOf(proposal, file.id)]);
    const form = new FormInput(Object.fromEntries(values) as Record<string, string>);
    return new HtmlPage(<ImagesPage {...{ area, proposal, files, form }} />);
  }

  @Post(':proposal/images')
  async change(
    @InArea() area: Area,
    @SignedInPerson() actor: Person,
    @Param('proposal') id: string,
    @Submitted() form: FormInput,
  ): Promise<PageAnswer> {
    const ref = refOf(area);
    const proposal = await this.queries.get(ref, readProposalId(id));
    const files = await this.choices(area, proposal);
    const shown = files.filter((file) => form.list(file.id).length > 0);
    const places = new Map(shown.map((file) => [file.id, form.value(file.id)]));
    const changes = withPlaces(proposal, places);
    const full = changes.sections.findIndex(({ images }) => images.length > MAX_SECTION_IMAGES);
    if (full !== -1) {
      const message = `${full + 1} would have more than ${MAX_SECTION_IMAGES} images`;
      form.problems.push({ field: 'sections', message });
    }
    const { sections, coverImage, contact } = changes;
    const done = await form.submit(() =>
      this.changeProposal.update(
        { ...ref, actor },
        proposal.id,
        { sections, coverImage, contact },
        seenRevision(form),
      ),
    );
    if (done) return new Redirect(`${proposalPath(area, proposal.id)}?notice=saved`);
    const current = await this.queries.get(ref, proposal.id);
    return new HtmlPage(<ImagesPage {...{ area, files, form }} proposal={current} />, 422);
  }

  private choices(area: Area, proposal: ProposalView): Promise<PageFile[]> {
    const shown = imagesOf(proposal).map(({ id }) => id);
    return this.files.choices(refOf(area), shown, MOST_IMAGES);
  }
}
