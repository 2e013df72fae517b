import type { DataSource, EntitySchema, ObjectLiteral } from 'typeorm';
import type { ColumnMetadata } from 'typeorm/metadata/ColumnMetadata';
import type { Statement } from './statement';

/**
 * INSERT, UPDATE and the reading of one entity as text and values, by its TypeORM mapping. TypeORM's own ways of writing build
 * their SQL anew each time and can't be joined with the appending of events into one statement.
 */
export class EntityStatements<Entity extends ObjectLiteral> {
  private readonly columns: ColumnMetadata[];
  private readonly prototype: object;
  private readonly insertColumns: ColumnMetadata[];
  private readonly updateColumns: ColumnMetadata[];
  private readonly insertText: string;
  private readonly updateText: string;

  constructor(
    private readonly dataSource: DataSource,
    schema: EntitySchema<Entity>,
  ) {
    const { columns, tableName, target } = dataSource.getMetadata(schema);
    this.columns = columns.filter(({ isSelect }) => isSelect);
    this.prototype = (target as { prototype: object }).prototype;
    this.insertColumns = columns.filter(({ isInsert }) => isInsert);
    this.updateColumns = columns.filter(({ isPrimary, isUpdate }) => isPrimary || isUpdate);
    const places = this.insertColumns.map((_, index) => `$${index + 1}`);
    this.insertText = `INSERT INTO "${tableName}" (${this.insertColumns.map(quoted).join(', ')}) VALUES (${places.join(', ')})`;
    const assignments = (isPrimary: boolean) =>
      this.updateColumns.flatMap((column, index) =>
        column.isPrimary === isPrimary ? [`${quoted(column)} = $${index + 1}`] : [],
      );
    this.updateText = `UPDATE "${tableName}" SET ${assignments(false).join(', ')} WHERE ${assignments(true).join(' AND ')}`;
  }

  insert(entity: Entity): Statement {
    return { text: this.insertText, values: this.values(entity, this.insertColumns) };
  }

  /** Writes the whole row: only for an entity that was read under a row lock in the same transaction. */
  update(entity: Entity): Statement {
    return { text: this.updateText, values: this.values(entity, this.updateColumns) };
  }

  /** The entity of a row with all its columns. */
  read(row: object): Entity {
    const entity = Object.create(this.prototype) as Record<string, unknown>;
    for (const column of this.columns) {
      const value = (row as Record<string, unknown>)[column.databaseName];
      entity[column.propertyName] = this.dataSource.driver.prepareHydratedValue(value, column) as unknown;
    }
    return entity as Entity;
  }

  private values(entity: Entity, columns: ColumnMetadata[]): unknown[] {
    return columns.map(
      (column) =>
        this.dataSource.driver.preparePersistentValue(
          entity[column.propertyName] as unknown,
          column,
        ) as unknown,
    );
  }
}

function quoted({ databaseName }: ColumnMetadata): string {
  return `"${databaseName}"`;
}
