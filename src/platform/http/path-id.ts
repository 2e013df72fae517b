import { NotFound } from '../../kernel/errors';
import { type Id, parseId } from '../../kernel/ids';

/** The id of some object of that kind, for the examples of the API reference. */
export function exampleId<Prefix extends string>(prefix: Prefix): Id<Prefix> {
  return `${prefix}_01h455vb4pex5vsknk084sn02q`;
}

/** The id of one kind of object as a path parameter: how it is read, and what the API reference says of it. */
export class PathId<Prefix extends string> {
  readonly example: Id<Prefix>;

  constructor(
    private readonly prefix: Prefix,
    /** Of the kind of object, such as `lead`. */
    readonly name: string,
  ) {
    this.example = exampleId(prefix);
  }

  /** @throws NotFound for text that is no such id: it can name no object */
  read(text: string): Id<Prefix> {
    const id = parseId(this.prefix, text);
    if (!id) throw new NotFound(this.name);
    return id;
  }
}
