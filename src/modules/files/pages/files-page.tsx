import { Button } from '../../../platform/pages/components/button';
import { Field } from '../../../platform/pages/components/field';
import { Form } from '../../../platform/pages/components/form';
import type { Path } from '../../../platform/pages/components/link';
import { Pagination } from '../../../platform/pages/components/navigation';
import { Notice } from '../../../platform/pages/components/notice';
import { ProblemSummary } from '../../../platform/pages/components/problem-summary';
import { EmptyState, Section } from '../../../platform/pages/components/section';
import type { FormInput } from '../../../platform/pages/form-input';
import { type Area, SettingsPage, settingsPath } from '../../shell';
import { type FileView, type PageFile, MAX_FILES, MAX_STORED_BYTES } from '../domain/file';
import { Thumbnail } from './thumbnail';

const NOTICES = new Map([
  ['uploaded', 'The image was uploaded.'],
  ['deleted', 'The image was deleted.'],
]);

export function filesPath(area: Area): Path {
  return settingsPath(area, `${area.mode}/files`);
}

interface FilesPageProps {
  area: Area;
  files: readonly PageFile[];
  nextCursor: string | null;
  uploading: FormInput;
  deleting: FormInput;
  notice: string;
}

export function FilesPage({ area, files, nextCursor, uploading, deleting, notice }: FilesPageProps) {
  const path = filesPath(area);
  const refusal = deleting.problem('id');
  return (
    <SettingsPage
      area={area}
      place=":mode/files"
      title="Files"
      intro={`Images for proposals and the brand: at most ${MAX_FILES.toLocaleString('en')} and ${MAX_STORED_BYTES / 1024 ** 3} GiB.`}
      done={NOTICES.get(notice)}
    >
      {refusal && (
        <Notice kind="danger" title="This image can’t be deleted">
          It {refusal}.
        </Notice>
      )}
      <Section
        title="Upload an image"
        intro="JPEG, PNG, WebP or AVIF, at most 8 MiB and 40 megapixels. Where a photo was taken isn’t kept."
      >
        <Form action={path} withFile>
          <ProblemSummary form={uploading} labels={{ file: 'Image' }} />
          <Field form={uploading} name="file" label="Image" isOptional={false}>
            {(control) => (
              <input
                {...control}
                type="file"
                class="control"
                accept="image/jpeg,image/png,image/webp,image/avif"
                required
              />
            )}
          </Field>
          <Button>Upload</Button>
        </Form>
      </Section>
      {files.length === 0 ? (
        <EmptyState title="No images yet">Upload photos of your spaces, food and guests.</EmptyState>
      ) : (
        <ul class="thumbnails">
          {files.map((file) => (
            <li>
              <Thumbnail area={area} file={file} />
              <Form
                action={`${path}/${file.id}/delete`}
                id={file.id}
                layout="inline"
                label={`Delete ${nameOf(file)}`}
              >
                <Button kind="secondary" of={nameOf(file)}>
                  Delete
                </Button>
              </Form>
            </li>
          ))}
        </ul>
      )}
      <Pagination older={nextCursor ? `${path}?cursor=${nextCursor}` : undefined} />
    </SettingsPage>
  );
}

function nameOf({ name, id }: FileView): string {
  return name ?? `the image ${id.slice(-4)}`;
}
