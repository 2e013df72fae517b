import type { FileId } from '../../../kernel/ids';
import type { Path } from '../../../platform/pages/components/link';
import { usePage } from '../../../platform/pages/page-context';
import { type Area, settingsPath } from '../../shell';
import type { PageFile } from '../domain/file';

/** The address of an image for members, whether anything public shows it or not. */
export function memberImagePath(area: Area, id: FileId, rendition: string): Path {
  return settingsPath(area, `${area.mode}/files/${id}/${rendition}`);
}

/** A small image with its name, for members. */
export function Thumbnail({ area, file }: { area: Area; file: PageFile }) {
  const { basePath } = usePage();
  const { id, name, width, height, thumbnail } = file;
  return (
    <figure>
      <img
        src={basePath + memberImagePath(area, id, thumbnail)}
        width={width}
        height={height}
        alt=""
        loading="lazy"
      />
      <figcaption>
        <bdi>{name ?? 'Image'}</bdi>{' '}
        <span class="quiet">
          {width} × {height}
        </span>
      </figcaption>
    </figure>
  );
}
