import { ApiProperty, ApiSchema } from '@nestjs/swagger';
import type { FileId } from '../../../kernel/ids';
import { Field, resourceFields } from '../../../platform/http/field';
import { email, idOf, listOf, object, objectList, text } from '../../../platform/http/field-rules';
import { exampleId } from '../../../platform/http/path-id';
import {
  MAX_MESSAGE,
  MAX_SECTION_IMAGES,
  MAX_SECTION_TEXT,
  MAX_SECTION_TITLE,
  MAX_SECTIONS,
  MAX_TERMS,
} from '../domain/presentation';

const fields = resourceFields({
  message: {
    rule: text(MAX_MESSAGE),
    description: 'In front of everything else on the client’s page. Plain text.',
    example: 'It was a pleasure to show you around.',
  },
  coverImage: { rule: idOf('file'), description: 'The image at the top.', example: exampleId('file') },
  terms: {
    rule: text(MAX_TERMS),
    description: 'What the client accepts with the proposal. Plain text.',
    example: 'Final numbers two weeks before the day.',
  },
  sectionTitle: { rule: text(MAX_SECTION_TITLE), example: 'The garden' },
  sectionText: { rule: text(MAX_SECTION_TEXT), description: 'Plain text.', example: 'Under old trees.' },
  images: {
    rule: listOf(idOf('file'), MAX_SECTION_IMAGES),
    description: 'Files of the same workspace and mode, in the order in which they are shown.',
    example: [exampleId('file')],
  },
  contactName: { rule: text(200), example: 'Marta Gil' },
  photo: { rule: idOf('file'), example: exampleId('file') },
  phone: { rule: text(40), description: 'As it is shown.', example: '+34 600 123 456' },
  email: { rule: email, example: 'marta@example.com' },
});
const { field, shown } = fields;
/** For the response, which contains them among others. */
export const shownPresentation = shown;

@ApiSchema({ name: 'ProposalSectionInput' })
class SectionBody {
  @field('sectionTitle', 'nullable') title?: string | null;
  @field('sectionText', 'nullable') text?: string | null;
  @field('images', 'nullable') images?: FileId[] | null;
}

@ApiSchema({ name: 'ProposalContactInput' })
class ContactBody {
  @field('contactName', 'required') name!: string;
  @field('photo', 'nullable') photo?: FileId | null;
  @field('phone', 'nullable') phone?: string | null;
  @field('email', 'nullable') email?: string | null;
}

const sections = Field({
  rule: objectList(() => SectionBody, MAX_SECTIONS),
  presence: 'nullable',
  description: 'In front of the prices on the client’s page.',
});
const contact = Field({
  rule: object(() => ContactBody),
  presence: 'nullable',
  description: 'Whom the client asks. Without it, the page shows the brand’s.',
});

/** The fields of a body beside its prices. */
export class PresentationBody {
  @field('message', 'nullable') message?: string | null;
  @sections sections?: SectionBody[] | null;
  @field('coverImage', 'nullable') coverImage?: FileId | null;
  @field('terms', 'nullable') terms?: string | null;
  @contact contact?: ContactBody | null;
}

@ApiSchema({ name: 'ProposalSection' })
export class SectionResponse {
  @shown('sectionTitle', { nullable: true }) title!: string | null;
  @shown('sectionText', { nullable: true }) text!: string | null;
  @shown('images') images!: string[];
}

@ApiSchema({ name: 'ProposalContact' })
export class ContactResponse {
  @shown('contactName') name!: string;
  @shown('photo', { nullable: true }) photo!: string | null;
  @shown('phone', { nullable: true }) phone!: string | null;
  @shown('email', { nullable: true }) email!: string | null;
}

@ApiSchema({
  name: 'ProposalPreparedFor',
  description:
    'What the client’s page says of the event: the lead and its spaces, as they were when it was sent.',
})
export class PreparedForResponse {
  @ApiProperty({ type: String, nullable: true, example: 'Lucía Fernández' }) name!: string | null;
  @ApiProperty({ type: String, format: 'date', nullable: true, example: '2027-06-12' })
  eventDate!: string | null;
  @ApiProperty({ type: 'integer', nullable: true, example: 120 }) guests!: number | null;
  @ApiProperty({ type: [String], example: ['Garden Pavilion'] }) spaces!: string[];
}
