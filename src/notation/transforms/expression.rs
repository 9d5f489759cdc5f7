//! Expressions read from text. The brackets that are open stand in a list, so no depth of them overflows the stack.
//!
//! Here are the operators and the brackets; [`operand`] reads what they join, [`diagnose`] says what was meant where
//! neither stands.

mod diagnose;
mod operand;
mod reader;

use super::code::{BinaryOperator, Op};
use super::lexemes::{at_end_of_line, never_closed, not_closed, skip_blanks, word};
use super::problem::{Finding, Problem};
use crate::music::text::Cursor;
pub(super) use reader::{CheckedCall, Expression};
use reader::{ExpressionReader, Open, ReadResult};
use std::ops::Range;

/// Reads a value, or (`in_where`) a condition. Stops where nothing can go on: at the end of the line, at a bracket or
/// comma that is not its own, at anything that is no operator.
pub(super) fn read(cursor: &mut Cursor<'_>, in_where: bool) -> ReadResult<Expression> {
    let mut reader = ExpressionReader {
        cursor: *cursor,
        in_where,
        code: Vec::new(),
        open: Vec::new(),
        truths: Vec::new(),
        calls: Vec::new(),
        semantic_findings: Vec::new(),
        last_call: None,
    };
    skip_blanks(&mut reader.cursor);
    let start = reader.cursor.pos();
    reader.run()?;
    let end = reader.cursor.pos();
    if reader.truths.last() == Some(&true) && !in_where {
        return Err(Finding::new(start..end, Problem::ConditionOutside));
    }
    *cursor = reader.cursor;
    let ExpressionReader { code, calls, semantic_findings, truths, last_call, .. } = reader;
    let lone_call = last_call.filter(|(_, calls)| *calls == (0..code.len())).map(|(function, _)| function);
    Ok(Expression {
        code,
        range: start..end,
        calls,
        semantic_findings,
        lone_call,
        is_condition: truths.last() == Some(&true),
    })
}

/// What a comma was.
enum Comma {
    None,
    /// A value must follow.
    Argument,
    /// A keyword followed, and its bracket.
    Finished,
}

impl ExpressionReader<'_> {
    fn run(&mut self) -> ReadResult<()> {
        loop {
            while !self.operand()? {}
            // After a value: closing brackets, then an operator, or the end.
            loop {
                let end = self.cursor.pos();
                skip_blanks(&mut self.cursor);
                if self.close()? {
                    continue;
                }
                match self.next_argument()? {
                    Comma::None => {}
                    Comma::Argument => break,
                    Comma::Finished => continue,
                }
                if let Some((operator, length)) = self.operator()? {
                    let at = self.cursor.pos();
                    self.reduce(operator.precedence())?;
                    self.open.push(Open::Binary(operator, at));
                    self.cursor.seek(at + length);
                    break;
                }
                self.reduce(0)?;
                return match self.open.last() {
                    None => {
                        self.cursor.seek(end);
                        Ok(())
                    }
                    Some(_) if !(at_end_of_line(&self.cursor) || self.in_where && never_closed(&self.cursor)) => {
                        Err(self.unexpected_operator())
                    }
                    Some(Open::Group { at }) => Err(self.unclosed(*at..*at + 1, end)),
                    Some(Open::Call { name, .. }) => Err(self.unclosed(name.start..name.end + 1, end)),
                    Some(_) => Err(self.unexpected_operator()),
                };
            }
        }
    }

    /// A bracket that is open where the line ends. Around a sum it might have been meant to close anywhere.
    fn unclosed(&self, open: Range<usize>, end: usize) -> Box<Finding> {
        let finding = not_closed(open, &self.cursor);
        let is_sum = matches!(self.code.last(), Some(Op::Binary(_)));
        if self.in_where || is_sum { finding } else { finding.replacing(end..end, ")") }
    }

    /// Carries out the operators on top that bind at least as tightly as `rank`.
    fn reduce(&mut self, rank: u8) -> ReadResult<()> {
        loop {
            let (op, at, needs_truth, gives_truth) = match self.open.last() {
                Some(Open::Binary(operator, at)) if operator.precedence() >= rank => {
                    let logical = matches!(operator, BinaryOperator::And | BinaryOperator::Or);
                    (Op::Binary(*operator), *at, logical, operator.precedence() <= 4)
                }
                // Not binds looser than comparisons.
                Some(Open::Not(at)) if rank <= 3 => (Op::Not, *at, true, true),
                _ => return Ok(()),
            };
            self.open.pop();
            let operands = if op == Op::Not { 1 } else { 2 };
            for _ in 0..operands {
                if self.truths.pop() != Some(needs_truth) {
                    return Err(Finding::new(at..at + 1, Problem::MixedCondition));
                }
            }
            self.truths.push(gives_truth);
            self.code.push(op);
        }
    }

    /// A closing bracket of one that was opened here.
    fn close(&mut self) -> ReadResult<bool> {
        let own = self.open.iter().rev().any(|open| matches!(open, Open::Group { .. } | Open::Call { .. }));
        if self.cursor.peek() != Some(b')') || !own {
            return Ok(false);
        }
        self.reduce(0)?;
        if matches!(self.open.last(), Some(Open::Call { .. })) {
            self.end_argument()?;
        }
        self.cursor.skip_char();
        self.finish_bracket(false);
        Ok(true)
    }

    /// Makes the value on top of the stack an argument of the innermost call.
    fn end_argument(&mut self) -> ReadResult<()> {
        if self.truths.pop() != Some(false) {
            let at = self.cursor.pos();
            return Err(Finding::new(at..at + 1, Problem::MixedCondition));
        }
        let end = self.code.len();
        if let Some(Open::Call { argument_at, arguments, count, .. }) = self.open.last_mut() {
            if arguments.len() < 3 {
                arguments.push(*argument_at..end);
            }
            *argument_at = end;
            *count = count.saturating_add(1);
        }
        Ok(())
    }

    /// A comma between arguments.
    fn next_argument(&mut self) -> ReadResult<Comma> {
        if self.cursor.peek() != Some(b',') {
            return Ok(Comma::None);
        }
        self.reduce(0)?;
        let Some(Open::Call { function, .. }) = self.open.last() else { return Ok(Comma::None) };
        let function = *function;
        self.end_argument()?;
        self.cursor.skip_char();
        skip_blanks(&mut self.cursor);
        let mut ahead = self.cursor;
        let start = ahead.pos();
        let keyword = word(&mut ahead);
        if !matches!(keyword, "sync" | "raw") {
            return Ok(Comma::Argument);
        }
        if function.keyword() != Some(keyword) {
            return Err(Finding::new(start..ahead.pos(), Problem::Keyword));
        }
        skip_blanks(&mut ahead);
        if !ahead.eat(")") {
            return Err(Finding::new(start..start + keyword.len(), Problem::Keyword));
        }
        self.cursor = ahead;
        self.finish_bracket(true);
        Ok(Comma::Finished)
    }

    fn operator(&mut self) -> ReadResult<Option<(BinaryOperator, usize)>> {
        let rest = self.cursor.rest();
        if rest.starts_with("/*") {
            let at = self.cursor.pos();
            return Err(Finding::new(at..at + 2, Problem::Comment));
        }
        let arithmetic = match rest.bytes().next() {
            Some(b'+') => Some(BinaryOperator::Plus),
            Some(b'-') => Some(BinaryOperator::Minus),
            Some(b'*') => Some(BinaryOperator::Times),
            Some(b'/') => Some(BinaryOperator::Divided),
            Some(b'%') => Some(BinaryOperator::Modulo),
            _ => None,
        };
        if let Some(operator) = arithmetic {
            return Ok(Some((operator, 1)));
        }
        let at = self.cursor.pos();
        let conditions = [
            (">=", BinaryOperator::AtLeast),
            ("<=", BinaryOperator::AtMost),
            ("==", BinaryOperator::Equal),
            ("!=", BinaryOperator::Unequal),
            (">", BinaryOperator::Above),
            ("<", BinaryOperator::Below),
            ("&&", BinaryOperator::And),
            ("||", BinaryOperator::Or),
        ];
        let found = conditions.into_iter().find(|(text, _)| rest.starts_with(text));
        match found {
            Some((text, _)) if !self.in_where => {
                return Err(Finding::new(at..at + text.len(), Problem::ConditionOutside));
            }
            Some((text, operator)) => return Ok(Some((operator, text.len()))),
            None => {}
        }
        if self.in_where {
            let mut ahead = self.cursor;
            let name = word(&mut ahead);
            if matches!(name, "and" | "AND" | "or" | "OR") {
                let right = if name.eq_ignore_ascii_case("and") { "&&" } else { "||" };
                return Err(Finding::new(at..ahead.pos(), Problem::AndOr).with_fix(right));
            }
            for (wrong, right, problem) in [
                ("=>", ">=", Problem::Comparison),
                ("=<", "<=", Problem::Comparison),
                ("=", "==", Problem::SingleEquals),
                ("&", "&&", Problem::AndOr),
                ("|", "||", Problem::AndOr),
            ] {
                if rest.starts_with(wrong) {
                    return Err(Finding::new(at..at + wrong.len(), problem).with_fix(right));
                }
            }
        }
        Ok(None)
    }
}
