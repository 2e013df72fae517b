import type { ShownImage } from '../../files';

interface PictureProps {
  image: ShownImage;
  /** How wide the page shows it, in CSS. */
  sizes: string;
  class?: string;
  /** What it shows; empty for an image that only decorates. */
  alt?: string;
  /** At the top of the page. */
  isFirst?: boolean;
}

/** An image in the widths that there are. Its space is kept while it loads. */
export function Picture({ image, sizes, class: className, alt = '', isFirst }: PictureProps) {
  const { sources, width, height } = image;
  return (
    <img
      class={className}
      src={sources.at(-1)!.path}
      srcset={sources.map((source) => `${source.path} ${source.width}w`).join(', ')}
      sizes={sizes}
      width={width}
      height={height}
      alt={alt}
      loading={isFirst ? undefined : 'lazy'}
      decoding="async"
    />
  );
}
