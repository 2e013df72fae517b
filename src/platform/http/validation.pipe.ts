import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { type FieldProblem, ValidationFailed } from '../../kernel/errors';
import { checkProblems } from './check';
import { inOrder, StructureCheck } from './input-problems';
import { gathered, namedParametersOf } from './query-parameter';
import { readObject } from './read-dto';

/** Turns a decoded body or query into its DTO, or refuses it with 422 naming every offending field. */
@Injectable()
export class ValidationPipe implements PipeTransform {
  transform(input: object, { type, metatype }: ArgumentMetadata): object {
    if (type !== 'body' && type !== 'query') return input;
    const dtoClass = metatype as Type<object>;
    const given = type === 'query' ? gathered(input, namedParametersOf(dtoClass)) : input;
    const { dto, problems } = validate(dtoClass, given);
    refuseIfAny(problems);
    return dto;
  }
}

export function validate(
  dtoClass: Type<object>,
  input: object,
): { dto: object; problems: readonly FieldProblem[] } {
  const check = new StructureCheck();
  const dto = readObject(dtoClass, input, { path: '', depth: 0 }, check);
  // Checks of several fields need a body that was read to its end.
  const together = check.isExhausted ? [] : checkProblems(dto, check.problems);
  return { dto, problems: [...check.problems, ...together] };
}

export function refuseIfAny(problems: readonly FieldProblem[]): void {
  const [first, ...more] = inOrder(problems);
  if (first) throw new ValidationFailed(first, ...more);
}
