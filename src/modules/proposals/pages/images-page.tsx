import { Button, ButtonLink } from '../../../platform/pages/components/button';
import { Form } from '../../../platform/pages/components/form';
import { Link, type Path } from '../../../platform/pages/components/link';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { Actions, EmptyState } from '../../../platform/pages/components/section';
import { SelectField } from '../../../platform/pages/components/select-field';
import type { FormInput } from '../../../platform/pages/form-input';
import { type PageFile, Thumbnail } from '../../files';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import type { ProposalView } from '../application/proposal-views';
import { placesOf } from './image-places';
import { isNoLongerDraft, NoLongerDraft } from './no-longer-draft';
import { proposalPath } from './proposal-paths';

interface ImagesPageProps {
  area: Area;
  proposal: ProposalView;
  files: readonly PageFile[];
  form: FormInput;
}

/** Where each image stands in a draft. */
export function ImagesPage({ area, proposal, files, form }: ImagesPageProps) {
  const { id, number, revision } = proposal;
  const options = placesOf(proposal);
  return (
    <SettingsPage
      area={area}
      place=":mode/proposals"
      title={`Images of proposal ${number}`}
      intro={
        <>
          Choose where each image stands. Add more in{' '}
          <Link to={settingsPath(area, `${area.mode}/files`)}>Files</Link>.
        </>
      }
    >
      <Problems form={form} current={proposalPath(area, id)} />
      {files.length === 0 ? (
        <EmptyState title="No images yet">
          <Link to={settingsPath(area, `${area.mode}/files`)}>Upload the first one</Link>
        </EmptyState>
      ) : (
        <Form action={proposalPath(area, id, 'images')} layout="free" label="Images">
          <input type="hidden" name="revision" value={revision} />
          <ul class="thumbnails">
            {files.map((file) => (
              <li>
                <Thumbnail area={area} file={file} />
                <SelectField
                  form={form}
                  name={file.id}
                  label={`Place of ${file.name ?? 'the image'}`}
                  hideLabel
                  options={options}
                />
              </li>
            ))}
          </ul>
          <Actions>
            <Button>Save images</Button>
            <ButtonLink kind="secondary" to={proposalPath(area, id)}>
              Back
            </ButtonLink>
          </Actions>
        </Form>
      )}
    </SettingsPage>
  );
}

function Problems({ form, current }: { form: FormInput; current: Path }) {
  if (form.problem('If-Match') !== undefined) {
    return (
      <Notice kind="danger" title="Somebody changed this draft meanwhile">
        Nothing was saved yet. Save again to place the images in the draft as it is now.
      </Notice>
    );
  }
  if (isNoLongerDraft(form)) return <NoLongerDraft current={current} />;
  return <ProblemSummary form={form} labels={{ sections: 'The sections' }} />;
}
