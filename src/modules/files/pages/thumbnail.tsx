import { usePage } from '../../../platform/pages/page-context';
import { type Area, settingsPath } from '../../shell';
import type { PageFile } from '../domain/file';

/** A small image with its name, for members. */
export function Thumbnail({ area, file }: { area: Area; file: PageFile }) {
  const { basePath } = usePage();
  const { id, name, width, height, thumbnail } = file;
  return (
    <figure>
      <img
        src={`${basePath}${settingsPath(area, `${area.mode}/files/${id}/${thumbnail}`)}`}
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
