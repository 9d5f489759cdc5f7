//! Expressions read from text. The brackets that are open stand in a list, so no depth of them overflows the stack.
//!
//! Here are the operators and the brackets; [`operand`] reads what they join, [`meant`] says what was meant where neither
//! stands.

mod meant;
mod operand;

use super::code::{Binary, FUNCTIONS, Function, Op};
use super::pieces::{at_end_of_line, blanks, never_closed, not_closed, word};
use super::problem::{Finding, Problem, expected_arguments};
use crate::music::text::Cursor;
use std::ops::Range;

type Read<T> = Result<T, Box<Finding>>;

/// A value as it was written.
#[derive(Clone, Debug)]
pub(super) struct Expression {
    pub code: Vec<Op>,
    /// The bytes it was written in.
    pub range: Range<usize>,
    /// Calls whose arguments must be looked at once more.
    pub calls: Vec<CheckedCall>,
    /// What in it follows the grammar and is wrong all the same.
    pub faults: Vec<Finding>,
    /// The function, if it is one call and nothing around it.
    pub lone_call: Option<Function>,
    /// A truth value.
    pub is_condition: bool,
}

/// A call whose constant arguments may be wrong.
#[derive(Clone, Debug)]
pub(super) struct CheckedCall {
    pub function: Function,
    /// The bytes of its name.
    pub name: Range<usize>,
    /// The operations of its first arguments.
    pub arguments: Vec<Range<usize>>,
}

enum Open {
    Group {
        at: usize,
    },
    Call {
        function: Function,
        name: Range<usize>,
        /// How many operations came before it.
        code_at: usize,
        /// Where the current argument's operations start.
        argument_at: usize,
        arguments: Vec<Range<usize>>,
        count: u32,
    },
    Binary(Binary, usize),
    Not(usize),
}

/// Reads a value, or (`in_where`) a condition. Stops where nothing can go on: at the end of the line, at a bracket or comma
/// that is not its own, at anything that is no operator.
pub(super) fn read(cursor: &mut Cursor<'_>, in_where: bool) -> Read<Expression> {
    let mut reader = Reader {
        cursor: *cursor,
        in_where,
        code: Vec::new(),
        open: Vec::new(),
        truths: Vec::new(),
        calls: Vec::new(),
        faults: Vec::new(),
        last_call: None,
    };
    blanks(&mut reader.cursor);
    let start = reader.cursor.at();
    reader.run()?;
    let end = reader.cursor.at();
    if reader.truths.last() == Some(&true) && !in_where {
        return Err(Finding::new(start..end, Problem::ConditionOutside));
    }
    *cursor = reader.cursor;
    let Reader { code, calls, faults, truths, last_call, .. } = reader;
    let lone_call = last_call.filter(|(_, calls)| *calls == (0..code.len())).map(|(function, _)| function);
    Ok(Expression { code, range: start..end, calls, faults, lone_call, is_condition: truths.last() == Some(&true) })
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    in_where: bool,
    code: Vec<Op>,
    open: Vec<Open>,
    /// For each value in hand whether it is a truth value.
    truths: Vec<bool>,
    calls: Vec<CheckedCall>,
    faults: Vec<Finding>,
    /// The call that ended last, and its operations.
    last_call: Option<(Function, Range<usize>)>,
}

/// What a comma was.
enum Comma {
    None,
    /// A value must follow.
    Argument,
    /// A keyword followed, and its bracket.
    Finished,
}

impl Reader<'_> {
    fn run(&mut self) -> Read<()> {
        loop {
            while !self.operand()? {}
            // After a value: closing brackets, then an operator, or the end.
            loop {
                let end = self.cursor.at();
                blanks(&mut self.cursor);
                if self.close()? {
                    continue;
                }
                match self.next_argument()? {
                    Comma::None => {}
                    Comma::Argument => break,
                    Comma::Finished => continue,
                }
                if let Some((operator, length)) = self.operator()? {
                    let at = self.cursor.at();
                    self.reduce(operator.rank())?;
                    self.open.push(Open::Binary(operator, at));
                    self.cursor.go(at + length);
                    break;
                }
                self.reduce(0)?;
                return match self.open.last() {
                    None => {
                        self.cursor.go(end);
                        Ok(())
                    }
                    Some(_) if !(at_end_of_line(&self.cursor) || self.in_where && never_closed(&self.cursor)) => {
                        Err(self.unexpected())
                    }
                    Some(Open::Group { at }) => Err(self.left_open(*at..*at + 1, end)),
                    Some(Open::Call { name, .. }) => Err(self.left_open(name.start..name.end + 1, end)),
                    Some(_) => Err(self.unexpected()),
                };
            }
        }
    }

    /// A bracket that is open where the line ends. Around a sum it might have been meant to close anywhere.
    fn left_open(&self, open: Range<usize>, end: usize) -> Box<Finding> {
        let finding = not_closed(open, &self.cursor);
        let is_sum = matches!(self.code.last(), Some(Op::Binary(_)));
        if self.in_where || is_sum { finding } else { finding.instead(end..end, ")") }
    }

    /// Carries out the operators on top that bind at least as tightly as `rank`.
    fn reduce(&mut self, rank: u8) -> Read<()> {
        loop {
            let (op, at, needs_truth, gives_truth) = match self.open.last() {
                Some(Open::Binary(operator, at)) if operator.rank() >= rank => {
                    let logical = matches!(operator, Binary::And | Binary::Or);
                    (Op::Binary(*operator), *at, logical, operator.rank() <= 4)
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
    fn close(&mut self) -> Read<bool> {
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

    /// After the closing bracket.
    fn finish_bracket(&mut self, keyword: bool) {
        let Some(Open::Call { function, name, code_at, arguments, count, .. }) = self.open.pop() else { return };
        let known = FUNCTIONS.iter().find(|(_, known, ..)| *known == function);
        if let Some((text, _, least, most)) = known
            && !(*least..=*most).contains(&count)
        {
            let expected = expected_arguments(*least, *most);
            let problem = Problem::Count { name: (*text).to_owned(), expected, found: count };
            self.faults.push(*Finding::new(name.clone(), problem));
        }
        if matches!(function, Function::Curve | Function::Swing) {
            self.calls.push(CheckedCall { function, name, arguments });
        }
        self.code.push(Op::Call { function, arguments: count, keyword });
        self.last_call = Some((function, code_at..self.code.len()));
        self.truths.push(false);
    }

    /// The value in hand is an argument of the innermost call.
    fn end_argument(&mut self) -> Read<()> {
        if self.truths.pop() != Some(false) {
            let at = self.cursor.at();
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
    fn next_argument(&mut self) -> Read<Comma> {
        if self.cursor.peek() != Some(b',') {
            return Ok(Comma::None);
        }
        self.reduce(0)?;
        let Some(Open::Call { function, .. }) = self.open.last() else { return Ok(Comma::None) };
        let function = *function;
        self.end_argument()?;
        self.cursor.skip_char();
        blanks(&mut self.cursor);
        let mut ahead = self.cursor;
        let start = ahead.at();
        let keyword = word(&mut ahead);
        if !matches!(keyword, "sync" | "raw") {
            return Ok(Comma::Argument);
        }
        if function.keyword() != Some(keyword) {
            return Err(Finding::new(start..ahead.at(), Problem::Keyword));
        }
        blanks(&mut ahead);
        if !ahead.eat(")") {
            return Err(Finding::new(start..start + keyword.len(), Problem::Keyword));
        }
        self.cursor = ahead;
        self.finish_bracket(true);
        Ok(Comma::Finished)
    }

    fn operator(&mut self) -> Read<Option<(Binary, usize)>> {
        let rest = self.cursor.rest();
        if rest.starts_with("/*") {
            let at = self.cursor.at();
            return Err(Finding::new(at..at + 2, Problem::Comment));
        }
        let arithmetic = match rest.bytes().next() {
            Some(b'+') => Some(Binary::Plus),
            Some(b'-') => Some(Binary::Minus),
            Some(b'*') => Some(Binary::Times),
            Some(b'/') => Some(Binary::Divided),
            Some(b'%') => Some(Binary::Modulo),
            _ => None,
        };
        if let Some(operator) = arithmetic {
            return Ok(Some((operator, 1)));
        }
        let at = self.cursor.at();
        let conditions = [
            (">=", Binary::AtLeast),
            ("<=", Binary::AtMost),
            ("==", Binary::Equal),
            ("!=", Binary::Unequal),
            (">", Binary::Above),
            ("<", Binary::Below),
            ("&&", Binary::And),
            ("||", Binary::Or),
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
                return Err(Finding::new(at..ahead.at(), Problem::AndOr).rather(right));
            }
            for (wrong, right, problem) in [
                ("=>", ">=", Problem::Comparison),
                ("=<", "<=", Problem::Comparison),
                ("=", "==", Problem::SingleEquals),
                ("&", "&&", Problem::AndOr),
                ("|", "||", Problem::AndOr),
            ] {
                if rest.starts_with(wrong) {
                    return Err(Finding::new(at..at + wrong.len(), problem).rather(right));
                }
            }
        }
        Ok(None)
    }
}
